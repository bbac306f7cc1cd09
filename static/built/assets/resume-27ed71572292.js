"use strict";(()=>{try{localStorage.getItem("local game")!==null&&document.body.classList.remove("importing")}catch{}})();
