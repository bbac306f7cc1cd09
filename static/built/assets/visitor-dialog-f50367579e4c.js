var go={steadyMs:()=>performance.now(),wallMs:()=>Date.now()};function vo({steadyMs:e,wallMs:t}){let[o,n]=[-1/0,1/0],s=t()-e(),i=!1,a=e(),p=s;function l(){let d=t()-e()-p;p+=d,i?d>1e3&&(s=u()+d,[o,n]=[-1/0,1/0]):s=p}function u(){return o===-1/0?s:n===1/0?o:(o+n)/2}return{now(){return l(),e()+u()},learn(d,f){l();let v=e(),_=(v-a)*2e-4,[h,x]=[d-v,f===void 0?1/0:d-f];[o,n]=[Math.max(o-_,h),Math.min(n+_,x)],o>n&&([o,n]=[h,x]),[i,a]=[!0,v]}}}var ot=vo(go);var w=class extends Error{constructor(t,o,{line:n,turn:s,flaw:i,games:a,retryS:p}={}){super(`${t}: ${o}`),this.code=t,this.detail=o,this.line=n??null,this.turn=s??null,this.flaw=i??null,this.games=a??[],this.retryS=p??0}},_o="application/x-ndjson";async function $(e,t,o){let n={method:e,signal:AbortSignal.timeout(1e4)};if(o!==void 0){let u=typeof o=="string";n.body=u?o:JSON.stringify(o);let d=u&&!o.trimStart().startsWith("{")?"text/plain":"application/json";n.headers={"content-type":d}}let s,i;try{s=await fetch(t,n),xo(s),i=await s.text()}catch(u){throw new w("offline",String(u))}if(s.ok&&i==="")return;if(s.ok&&s.headers.get("content-type")===_o)return i;let a;try{a=JSON.parse(i)}catch(u){throw new w("unreadable",`${s.status} ${String(u)}`)}if(s.ok)return a;let p=a,l=Number(s.headers.get("retry-after"));throw new w(p.code??"unreadable",p.detail??String(s.status),{...p,retryS:l})}function xo({headers:e}){let t=Date.parse(e.get("date")??"");e.get("cache-control")?.includes("no-store")&&!Number.isNaN(t)&&ot.learn(t)}var nt=()=>$("POST","/api/v1/session"),rt=e=>$("PATCH","/api/v1/session",e),st=e=>$("POST","/api/v1/account",e),G=()=>$("GET","/api/v1/account"),de=e=>$("PATCH","/api/v1/account",e),it=e=>$("POST","/api/v1/session/password",e),Pe=e=>$("POST","/api/v1/passkeys/options",e),at=e=>$("POST","/api/v1/session/passkey",e),fe=()=>$("GET","/api/v1/passkeys"),ct=e=>$("POST","/api/v1/passkeys",e),lt=(e,t)=>$("PATCH",`/api/v1/passkeys/${encodeURIComponent(e)}`,t),pt=e=>$("DELETE",`/api/v1/passkeys/${encodeURIComponent(e)}`),ut=e=>$("POST","/api/v1/account/recover",e),mt=e=>$("POST","/api/v1/account/recover/link",e),dt=e=>$("POST","/api/v1/account/recover/mail",e),ft=e=>$("PUT","/api/v1/account/mail",e),Ie=e=>$("PATCH","/api/v1/account/mail",{recovers:e}),ht=()=>$("DELETE","/api/v1/account/mail"),$t=e=>$("POST","/api/v1/account/mail/confirm",e),he=()=>$("POST","/api/v1/account/code"),Oe=e=>$("POST","/api/v1/session/prove",e),yt=()=>$("GET","/api/v1/session/export"),wt=()=>$("GET","/api/v1/sessions"),bt=e=>$("DELETE",`/api/v1/sessions/${encodeURIComponent(e)}`);var $e=()=>$("GET","/api/v1/blocks");var gt=e=>$("DELETE",`/api/v1/blocks/${encodeURIComponent(e)}`),vt=e=>$("POST","/api/v1/reports",e),_t=()=>$("GET","/api/v1/account/acts");var At=location.protocol==="https:",St=`${At?"__Host-":""}nothing-kept-${location.port}`,Et=3600;function Me(e){document.cookie=`${St}=1; path=/; max-age=${e}; samesite=lax${At?"; secure":""}`}var xt=()=>document.cookie.split("; ").includes(`${St}=1`);function ko(){try{if(!navigator.cookieEnabled||xt())return!1;Me(Et);let e=xt();return Me(0),e}catch{return!1}}var ye=null,Tt=()=>ye===!1,Pt=()=>new w("nothing_kept","the browser keeps nothing for this site"),kt=!1,Ao=!1;async function we(){if(ye??=ko(),!ye)throw Pt();kt&&!Ao&&await Eo();let e=await nt();return kt=!0,U(e.player),e}var So=!1;addEventListener("leaving",e=>{So=e.detail});async function te(e){dispatchEvent(new CustomEvent("leaving",{detail:!0}));try{return await e()}catch(t){throw dispatchEvent(new CustomEvent("leaving",{detail:!1})),t}}function U(e){dispatchEvent(new CustomEvent("visitor",{detail:e}))}async function Eo(){try{await $e()}catch(e){if(!(e instanceof w&&e.code==="no_session"))return;throw ye=!1,Me(Et),Pt()}}var Ue=globalThis,It=e=>e,be=Ue.trustedTypes,Ot=be?be.createPolicy("lit-html",{createHTML:e=>e}):void 0,Lt="$lit$",q=`lit$${Math.random().toFixed(9).slice(2)}$`,Ft="?"+q,To=`<${Ft}>`,K=document,ne=()=>K.createComment(""),re=e=>e===null||typeof e!="object"&&typeof e!="function",qe=Array.isArray,Po=e=>qe(e)||typeof e?.[Symbol.iterator]=="function",Ne=`[ 	
\f\r]`,oe=/<(?:(!--|\/[^a-zA-Z])|(\/?[a-zA-Z][^>\s]*)|(\/?$))/g,Mt=/-->/g,Nt=/>/g,W=RegExp(`>|${Ne}(?:([^\\s"'>=/]+)(${Ne}*=${Ne}*(?:[^ 	
\f\r"'\`<>=]|("|')|))|$)`,"g"),Ct=/'/g,Rt=/"/g,Ut=/^(?:script|style|textarea|title)$/i,De=e=>(t,...o)=>({_$litType$:e,strings:t,values:o}),c=De(1),T=De(2),Pn=De(3),V=Symbol.for("lit-noChange"),m=Symbol.for("lit-nothing"),Ht=new WeakMap,j=K.createTreeWalker(K,129);function qt(e,t){if(!qe(e)||!e.hasOwnProperty("raw"))throw Error("invalid template strings array");return Ot!==void 0?Ot.createHTML(t):t}var Io=(e,t)=>{let o=e.length-1,n=[],s,i=t===2?"<svg>":t===3?"<math>":"",a=oe;for(let p=0;p<o;p++){let l=e[p],u,d,f=-1,v=0;for(;v<l.length&&(a.lastIndex=v,d=a.exec(l),d!==null);)v=a.lastIndex,a===oe?d[1]==="!--"?a=Mt:d[1]!==void 0?a=Nt:d[2]!==void 0?(Ut.test(d[2])&&(s=RegExp("</"+d[2],"g")),a=W):d[3]!==void 0&&(a=W):a===W?d[0]===">"?(a=s??oe,f=-1):d[1]===void 0?f=-2:(f=a.lastIndex-d[2].length,u=d[1],a=d[3]===void 0?W:d[3]==='"'?Rt:Ct):a===Rt||a===Ct?a=W:a===Mt||a===Nt?a=oe:(a=W,s=void 0);let _=a===W&&e[p+1].startsWith("/>")?" ":"";i+=a===oe?l+To:f>=0?(n.push(u),l.slice(0,f)+Lt+l.slice(f)+q+_):l+q+(f===-2?p:_)}return[qt(e,i+(e[o]||"<?>")+(t===2?"</svg>":t===3?"</math>":"")),n]},se=class e{constructor({strings:t,_$litType$:o},n){let s;this.parts=[];let i=0,a=0,p=t.length-1,l=this.parts,[u,d]=Io(t,o);if(this.el=e.createElement(u,n),j.currentNode=this.el.content,o===2||o===3){let f=this.el.content.firstChild;f.replaceWith(...f.childNodes)}for(;(s=j.nextNode())!==null&&l.length<p;){if(s.nodeType===1){if(s.hasAttributes())for(let f of s.getAttributeNames())if(f.endsWith(Lt)){let v=d[a++],_=s.getAttribute(f).split(q),h=/([.?@])?(.*)/.exec(v);l.push({type:1,index:i,name:h[2],strings:_,ctor:h[1]==="."?Re:h[1]==="?"?He:h[1]==="@"?Le:Z}),s.removeAttribute(f)}else f.startsWith(q)&&(l.push({type:6,index:i}),s.removeAttribute(f));if(Ut.test(s.tagName)){let f=s.textContent.split(q),v=f.length-1;if(v>0){s.textContent=be?be.emptyScript:"";for(let _=0;_<v;_++)s.append(f[_],ne()),j.nextNode(),l.push({type:2,index:++i});s.append(f[v],ne())}}}else if(s.nodeType===8)if(s.data===Ft)l.push({type:2,index:i});else{let f=-1;for(;(f=s.data.indexOf(q,f+1))!==-1;)l.push({type:7,index:i}),f+=q.length-1}i++}}static createElement(t,o){let n=K.createElement("template");return n.innerHTML=t,n}};function Y(e,t,o=e,n){if(t===V)return t;let s=n!==void 0?o._$Co?.[n]:o._$Cl,i=re(t)?void 0:t._$litDirective$;return s?.constructor!==i&&(s?._$AO?.(!1),i===void 0?s=void 0:(s=new i(e),s._$AT(e,o,n)),n!==void 0?(o._$Co??=[])[n]=s:o._$Cl=s),s!==void 0&&(t=Y(e,s._$AS(e,t.values),s,n)),t}var Ce=class{constructor(t,o){this._$AV=[],this._$AN=void 0,this._$AD=t,this._$AM=o}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}u(t){let{el:{content:o},parts:n}=this._$AD,s=(t?.creationScope??K).importNode(o,!0);j.currentNode=s;let i=j.nextNode(),a=0,p=0,l=n[0];for(;l!==void 0;){if(a===l.index){let u;l.type===2?u=new ie(i,i.nextSibling,this,t):l.type===1?u=new l.ctor(i,l.name,l.strings,this,t):l.type===6&&(u=new Fe(i,this,t)),this._$AV.push(u),l=n[++p]}a!==l?.index&&(i=j.nextNode(),a++)}return j.currentNode=K,s}p(t){let o=0;for(let n of this._$AV)n!==void 0&&(n.strings!==void 0?(n._$AI(t,n,o),o+=n.strings.length-2):n._$AI(t[o])),o++}},ie=class e{get _$AU(){return this._$AM?._$AU??this._$Cv}constructor(t,o,n,s){this.type=2,this._$AH=m,this._$AN=void 0,this._$AA=t,this._$AB=o,this._$AM=n,this.options=s,this._$Cv=s?.isConnected??!0}get parentNode(){let t=this._$AA.parentNode,o=this._$AM;return o!==void 0&&t?.nodeType===11&&(t=o.parentNode),t}get startNode(){return this._$AA}get endNode(){return this._$AB}_$AI(t,o=this){t=Y(this,t,o),re(t)?t===m||t==null||t===""?(this._$AH!==m&&this._$AR(),this._$AH=m):t!==this._$AH&&t!==V&&this._(t):t._$litType$!==void 0?this.$(t):t.nodeType!==void 0?this.T(t):Po(t)?this.k(t):this._(t)}O(t){return this._$AA.parentNode.insertBefore(t,this._$AB)}T(t){this._$AH!==t&&(this._$AR(),this._$AH=this.O(t))}_(t){this._$AH!==m&&re(this._$AH)?this._$AA.nextSibling.data=t:this.T(K.createTextNode(t)),this._$AH=t}$(t){let{values:o,_$litType$:n}=t,s=typeof n=="number"?this._$AC(t):(n.el===void 0&&(n.el=se.createElement(qt(n.h,n.h[0]),this.options)),n);if(this._$AH?._$AD===s)this._$AH.p(o);else{let i=new Ce(s,this),a=i.u(this.options);i.p(o),this.T(a),this._$AH=i}}_$AC(t){let o=Ht.get(t.strings);return o===void 0&&Ht.set(t.strings,o=new se(t)),o}k(t){qe(this._$AH)||(this._$AH=[],this._$AR());let o=this._$AH,n,s=0;for(let i of t)s===o.length?o.push(n=new e(this.O(ne()),this.O(ne()),this,this.options)):n=o[s],n._$AI(i),s++;s<o.length&&(this._$AR(n&&n._$AB.nextSibling,s),o.length=s)}_$AR(t=this._$AA.nextSibling,o){for(this._$AP?.(!1,!0,o);t!==this._$AB;){let n=It(t).nextSibling;It(t).remove(),t=n}}setConnected(t){this._$AM===void 0&&(this._$Cv=t,this._$AP?.(t))}},Z=class{get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}constructor(t,o,n,s,i){this.type=1,this._$AH=m,this._$AN=void 0,this.element=t,this.name=o,this._$AM=s,this.options=i,n.length>2||n[0]!==""||n[1]!==""?(this._$AH=Array(n.length-1).fill(new String),this.strings=n):this._$AH=m}_$AI(t,o=this,n,s){let i=this.strings,a=!1;if(i===void 0)t=Y(this,t,o,0),a=!re(t)||t!==this._$AH&&t!==V,a&&(this._$AH=t);else{let p=t,l,u;for(t=i[0],l=0;l<i.length-1;l++)u=Y(this,p[n+l],o,l),u===V&&(u=this._$AH[l]),a||=!re(u)||u!==this._$AH[l],u===m?t=m:t!==m&&(t+=(u??"")+i[l+1]),this._$AH[l]=u}a&&!s&&this.j(t)}j(t){t===m?this.element.removeAttribute(this.name):this.element.setAttribute(this.name,t??"")}},Re=class extends Z{constructor(){super(...arguments),this.type=3}j(t){this.element[this.name]=t===m?void 0:t}},He=class extends Z{constructor(){super(...arguments),this.type=4}j(t){this.element.toggleAttribute(this.name,!!t&&t!==m)}},Le=class extends Z{constructor(t,o,n,s,i){super(t,o,n,s,i),this.type=5}_$AI(t,o=this){if((t=Y(this,t,o,0)??m)===V)return;let n=this._$AH,s=t===m&&n!==m||t.capture!==n.capture||t.once!==n.once||t.passive!==n.passive,i=t!==m&&(n===m||s);s&&this.element.removeEventListener(this.name,this,n),i&&this.element.addEventListener(this.name,this,t),this._$AH=t}handleEvent(t){typeof this._$AH=="function"?this._$AH.call(this.options?.host??this.element,t):this._$AH.handleEvent(t)}},Fe=class{constructor(t,o,n){this.element=t,this.type=6,this._$AN=void 0,this._$AM=o,this.options=n}get _$AU(){return this._$AM._$AU}_$AI(t){Y(this,t)}};var Oo=Ue.litHtmlPolyfillSupport;Oo?.(se,ie),(Ue.litHtmlVersions??=[]).push("3.3.3");var g=(e,t,o)=>{let n=o?.renderBefore??t,s=n._$litPart$;if(s===void 0){let i=o?.renderBefore??null;n._$litPart$=s=new ie(t.insertBefore(ne(),i),i,void 0,o??{})}return s._$AI(e),s};var Be=Object.getPrototypeOf(g(m,document.createDocumentFragment())),Dt=Be._$AC(c`<p>${m}</p>`).constructor,{_$AI:Mo}=Be;Be._$AI=function(e,...t){let o=this._$AH;(typeof o=="string"||typeof o=="number")&&e!==o&&e!==V&&!(this.startNode.nextSibling instanceof Text)&&(this._$AR(),this._$AH=m),Mo.call(this,e,...t)};var{createElement:No}=Dt;Dt.createElement=(e,t)=>{let o=No(e,t),n=document.createTreeWalker(o.content,NodeFilter.SHOW_COMMENT);for(;n.nextNode();){let{currentNode:s}=n;s.nextSibling instanceof Text&&(s.after(document.createComment("")),n.nextNode())}return o};async function Bt(e,t){for(let o=0,n=500;;o++,n=Math.min(2*n,15e3))try{let s=await t(o);return dispatchEvent(new CustomEvent("partloaded",{detail:e})),s}catch{dispatchEvent(new CustomEvent("partmissing",{detail:e})),await new Promise(s=>setTimeout(s,n))}}var Co=/[\u061c\u200f\u202a-\u202e\u2066-\u2069\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u,Ro=e=>Co.test(e)?`⁨${e}⁩`:e;function Ho(e,t){let o=new Intl.PluralRules(e),n=new Intl.NumberFormat(e);return(s,i={})=>{let a=t[s];return a===void 0?s:(typeof a=="string"?a:a[o.select(Number(i.n))]??a.other).replace(/\{(\w+)\}/g,(l,u)=>{let d=i[u]??"";return typeof d=="number"?n.format(d):Ro(d)})}}function Ge(){return document.documentElement.lang==="fr"?"fr":"en"}function Gt(e,t){let o=t.flatMap(Lo),n=o.find(i=>i.language===e);if(n?.region)return n.toString();let s=o.find(i=>i.region)?.region;return s===void 0?e:new Intl.Locale(e,{region:s}).toString()}function Lo(e){try{return[new Intl.Locale(e)]}catch{return[]}}function ge(e){let{href:t}=document.getElementById("words");return Bt("words",async()=>{let o=await fetch(e??t);if(!o.ok)throw new Error(`${o.status}`);return Ho(Ge(),await o.json())})}var We=new Map;function D(e){try{return We.get(e)??localStorage.getItem(e)}catch{return null}}function ve(e,t){We.delete(e);try{if(localStorage.setItem(e,t),localStorage.getItem(e)===t)return}catch{}We.set(e,t)}var Fo=[{game:"fibonacci",rulesets:["fibonacci","fibonacci-mixed","fibonacci-cards"],first:"black",second:"white"},{game:"fenix",rulesets:["fenix"],first:"red",second:"blue"},{game:"focus",rulesets:["focus","focus-classic"],first:"white",second:"black"},{game:"crossfire",rulesets:["crossfire"],first:"white",second:"black"}],Bn=Fo.flatMap(({rulesets:e})=>e),je=Ge(),y=await ge(),Wt=E("favicon"),{href:Gn}=Wt,Wn=Wt.dataset.turn??"";var Uo=300,qo={polite:{timer:0,last:"",waiting:[]},assertive:{timer:0,last:"",waiting:[]}};function R(e,t="polite"){let o=qo[t];o.waiting.includes(e)||o.waiting.push(e),clearTimeout(o.timer),o.timer=window.setTimeout(()=>{let n=o.waiting.join(" ");o.waiting=[],n===o.last&&(n+=" "),o.last=n,E(t).textContent=n},Uo)}function P(e){if(!(e instanceof w))throw e;let t=e.code==="no_session"&&Tt()?"nothing_kept":e.code;if(t==="too_fast"&&e.retryS>1)return y("refusal.wait",{when:Bo(e.retryS)});let o=`refusal.${t}`,n=y(o);return n===o?y("refusal.other",{code:t}):n}var Do=new Intl.RelativeTimeFormat(je);function Bo(e){let[t,o]=e<100?[1,"second"]:e<6e3?[60,"minute"]:[3600,"hour"];return Do.format(Math.ceil(e/t),o)}var jt=e=>y(`ruleset.${e}`);var z=({name:e,kind:t})=>t==="deleted"?y("page.deleted"):e,Q=e=>new Intl.DateTimeFormat(Gt(je,navigator.languages),e),Kt=e=>new Intl.ListFormat(je,{type:"conjunction"}).format(e),Vt=()=>matchMedia("(pointer: coarse)").matches?"touch":"keys";function E(e){let t=document.getElementById(e);if(t===null)throw new Error(`the page has no element #${e}`);return t}var Go={close:T`<path d="m6 6 12 12M18 6 6 18"/>`,undo:T`<path d="M8.5 5 4.5 9l4 4M5 9h9a5.5 5.5 0 0 1 0 11h-4"/>`,back:T`<path d="M11.500 6.500 6 12l5.500 5.500M18 6.500 12.500 12l5.500 5.500"/>`,restart:T`<path d="M5 12a7 7 0 1 1 2.2 5.1M5 17.5V13h4.5"/>`,check:T`<path d="m5 12.5 4.5 4.5L19 7.5"/>`,flip:T`<path d="M8 4v15m0 0-3.5-3.5M8 19l3.5-3.5M16 20V5m0 0-3.5 3.5M16 5l3.5 3.5"/>`,eye:T`<path d="M2.5 12c4.5-7.3 14.5-7.3 19 0-4.5 7.3-14.5 7.3-19 0Z"/><circle cx="12" cy="12" r="2.8"/>`,bulb:T`<path d="M9 18h6M10 21h4M12 3a6 6 0 0 0-3.600 10.800c.600.500.600 1.200.600 2.200h6c0-1 0-1.700.600-2.200A6 6 0 0 0 12 3Z"/>`,copy:T`<rect x="8.5" y="8.5" width="11" height="11" rx="2"/><path d="M15.5 5.5a1 1 0 0 0-1-1h-9a1 1 0 0 0-1 1v9a1 1 0 0 0 1 1"/>`,share:T`<path d="M12 15.5v-11m0 0-4 4m4-4 4 4M5 13.5v6h14v-6"/>`,stack:T`<ellipse cx="12" cy="7" rx="7.5" ry="3"/><path d="M4.5 7v5c0 1.66 3.36 3 7.5 3s7.5-1.34 7.5-3V7M4.5 12v5c0 1.66 3.36 3 7.5 3s7.5-1.34 7.5-3v-5"/>`,download:T`<path d="M12 4v11m0 0-4-4m4 4 4-4M5 19.5h14"/>`},Wo=e=>c`<svg class="ic" viewBox="0 0 24 24" aria-hidden="true" focusable="false">${e}</svg>`,H=e=>Wo(Go[e]);var Ke=null;function _e(e,t,{isHeld:o}={isHeld:!1}){if(Ke?.open)return null;Ke?.remove();let n=document.createElement("dialog");return n.setAttribute("aria-labelledby","dialog-title"),g(c`<header class="dialog-head">
        <h2 id="dialog-title">${e}</h2>
        ${o?m:c`<button class="quiet icon" aria-label=${y("page.close")} @click=${()=>n.close()}>${H("close")}</button>`}
      </header>
      ${t}`,n),n.addEventListener("click",s=>s.target===n&&!o&&n.close()),n.addEventListener("close",()=>n.remove()),o&&(n.setAttribute("closedby","none"),n.addEventListener("cancel",s=>s.preventDefault())),Ke=n,document.body.append(n),n.showModal(),n}var jo=/[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;var A=e=>e.replace(jo,"").replace(/\s+/g," ").trim();var Ve=e=>/^(Guest|Invité) \d+$/.test(e),Ko=8;function ze(e){let t=z(e),o=Vo(e);if(o===m)return c`<bdi>${t}</bdi>`;let n=t.length-t.lastIndexOf(" ")<=Ko;return c`<bdi>${t}</bdi>${n?" ":" "}${o}`}function Vo({name:e,kind:t}){return t==="guest"&&!Ve(e)?c`<span class="guest-mark">${y("page.guest_mark")}</span>`:m}function zt(e,t,o){let n=Object.keys(t).map(i=>[i,`{${i}}`]);return y(e,{...o,...Object.fromEntries(n)}).split(/\{(\w+)\}/).map((i,a)=>a%2===0?i:ze(t[i]))}var r=await ge(E("top").dataset.visitorWords);async function Jt(e){let t=null,o=null,n=!1;await s(async()=>{t=(await $e()).players});async function s(p){o=null;try{await p()}catch(l){o=P(l)}a()}let i=p=>s(async()=>{await gt(p.id),n=!0,t=(t??[]).filter(l=>l.id!==p.id),R(r("blocks.unblocked",{name:z(p)})),e.focus()});function a(){let p=(t??[]).map(u=>c`<li><span>${ze(u)}</span>
        <button aria-label=${r("blocks.unblock_named",{name:z(u)})} @click=${()=>i(u)}>${r("blocks.unblock")}</button></li>`),l=t?.length===0&&n;g(p.length===0&&o===null&&!l?m:c`<h3 id="blocks-title">${r("blocks.title")}</h3>
            <p>${l?r("blocks.none"):r("blocks.lead")}</p>
            ${p.length===0?m:c`<ul>${p}</ul>`}
            <p class="error" role="alert">${o}</p>`,e)}}var Yt=80,zo=e=>`${e[0].toLocaleUpperCase()}${e.slice(1)}.`;function Jo(e,t){let o=e.split(`
`)[t-1]?.trim()??"";return o===""?"":y("record.found",{text:o.length>Yt?`${o.slice(0,Yt)}…`:o})}function Yo(e){switch(e.code){case"expected":{let t=y(`flaw.what_${e.what}`);return e.field===null?y("flaw.expected",{what:t}):y("flaw.expected_in",{field:e.field,what:t})}case"position":return y("flaw.position",{n:e.at+1,rule:e.rule});case"illegal":case"incomplete":return y(`flaw.${e.code}`,{n:e.index+1,rule:e.rule});case"game_over":return y("flaw.game_over",{n:e.index+1});case"wrong_ending":return y("flaw.wrong_ending",{result:e.winner??"draw",reason:e.reason});case"newer_version":return y("flaw.newer_version",{version:String(e.version)});case"wrong_number":return y("flaw.wrong_number",{expected:String(e.expected)});default:return y(`flaw.${e.code}`,e)}}function Zt(e,t=""){let o=P(e);if(!(e instanceof w)||e.flaw===null)return c`${o}`;let{line:n,turn:s,flaw:i}=e,a=[...n===null?[]:[y("record.line",{n})],...s===null?[]:[y("record.turn",{n:s})]].join(", "),p=n===null?"":Jo(t,n);return c`${o} ${zo(`${a}${a===""?"":y("page.colon")}${Yo(i)}`)} ${p}`}async function xe(e,t,o){let n=e.querySelector('button:not([type="button"])'),s=e.querySelector('.error[role="alert"]');if(!n.hasAttribute("aria-disabled")){n.setAttribute("aria-disabled","true"),g(m,s);try{await t()}catch(i){g(Zt(i,o),s),s.scrollIntoView({block:"nearest"})}n.removeAttribute("aria-disabled")}}var ae=(e,t,o,n)=>c`<div class="field">
    <label for=${`${e}-field`}>${t}</label>
    ${n(`${e}-field`,`${e}-hint ${e}-error`)}
    <small id=${`${e}-hint`}>${o}</small>
    <p class="error" id=${`${e}-error`}></p>
  </div>`,L=(e,t,o,n=null)=>ae("name",e,n,(s,i)=>c`<input id=${s} name="name" required maxlength="24" autocomplete=${o} autocapitalize="off"
      spellcheck="false" value=${t} aria-describedby=${i} />`),Qt=(e,t)=>ae("label",e,null,(o,n)=>c`<input id=${o} name="label" required maxlength="40" autocomplete="off" value=${t}
      aria-describedby=${n} />`),Xt=e=>ae("code",e,null,(t,o)=>c`<input id=${t} name="code" required maxlength="40" autocomplete="off" autocapitalize="characters"
      spellcheck="false" aria-describedby=${o} />`),Je=e=>ae("address",e,null,(t,o)=>c`<input id=${t} name="address" type="email" required maxlength="254" autocomplete="email"
      aria-describedby=${o} />`),N=(e,t,o,n=null)=>{let s=o==="new-password";return ae(e,t,s?r("password.hint"):n,(i,a)=>c`<span class="secret">
      <input id=${i} name=${e} type="password" required minlength=${s?8:m} maxlength="128"
        autocomplete=${o} aria-describedby=${a} />
      <button type="button" class="quiet icon" aria-pressed="false" title=${r("password.show")} aria-label=${r("password.show")}
        @click=${Zo}>${H("eye")}</button>
    </span>`)};function Zo(e){let t=e.currentTarget,o=t.previousElementSibling,n=o.type==="text";o.type=n?"password":"text",t.setAttribute("aria-pressed",String(!n))}var ce=({submitter:e})=>e instanceof HTMLButtonElement&&e.name==="passkey";async function S(e,t,o){e.preventDefault();let n=e.target;await xe(n,async()=>{for(let s of n.querySelectorAll("[aria-invalid]"))s.removeAttribute("aria-invalid"),E(s.id.replace(/field$/,"error")).textContent="";try{await o(Object.fromEntries(new FormData(n)))}catch(s){let i=s instanceof w?t[s.code]:void 0;if(i===void 0)throw s;let[a,p=P(s)]=i,l=E(`${a}-field`);E(`${a}-error`).textContent=p,l.setAttribute("aria-invalid","true"),l.focus()}})}function k(e,t,o){return document.querySelector("dialog[open]")?.close(),_e(e,t,o)}var{hostname:Ye}=location,Qo=/^[\d.]+$|^\[/.test(Ye),F=!Qo&&"parseCreationOptionsFromJSON"in(globalThis.PublicKeyCredential??{}),X=()=>{if(!["127.0.0.1","[::1]"].includes(Ye))return m;let e=new URL(location.href);return e.hostname="localhost",c`<p><small>${r("passkey.elsewhere")} <a href=${e.href}>${e.host}</a></small></p>`};async function ke(e){let t=await Pe(e);return to("passkey_not_made",t.rp.id,()=>navigator.credentials.create({publicKey:PublicKeyCredential.parseCreationOptionsFromJSON(t)}))}async function le(e,t={}){let o=await Pe(e);return to("passkey_not_used",o.rpId,()=>navigator.credentials.get({publicKey:PublicKeyCredential.parseRequestOptionsFromJSON(o),...t}))}async function eo(e){if(!F||!await PublicKeyCredential.isConditionalMediationAvailable?.())return null;try{return await le({purpose:"sign_in"},{mediation:"conditional",signal:e})}catch(t){if(t instanceof w)return null;throw t}}async function Ae(e){try{return await e()}catch(t){throw t instanceof w&&t.code==="wrong_credentials"?new w("passkey_unknown",t.detail):t}}var Xo={InvalidStateError:"passkey_there",ConstraintError:"passkey_unable",NotSupportedError:"passkey_unable",SecurityError:"passkey_elsewhere"};async function to(e,t,o){if(t!==Ye)throw new w("passkey_elsewhere",String(t));try{return(await o()).toJSON()}catch(n){throw n instanceof DOMException?new w(Xo[n.name]??e,n.message):n}}var I=e=>c`<input name="username" autocomplete="username" value=${e} hidden />
  <div class="proof"></div>`,O=(e,t,o)=>S(e,{...t,wrong_credentials:["proof",r("password.wrong")]},async n=>{n.proof!==void 0&&await Oe({password:n.proof});try{await o(n)}catch(s){if(!(s instanceof w&&s.code==="prove_again"))throw s;await tn(e.target);return}Ze()});async function en(e){let t=!1;await xe(e,async()=>{let o=await le({purpose:"prove"});await Ae(()=>Oe({passkey:o})),t=!0}),t&&(Ze(),e.requestSubmit())}function Ze(){for(let e of document.querySelectorAll(".proof"))g(m,e)}async function tn(e){let[{has_password:t},{passkeys:o}]=await Promise.all([G(),fe()]);Ze();let n=e.querySelector(".proof");g(c`${t?N("proof",r("password.current"),"current-password",r("password.prove")):c`<p>${r("password.prove")}</p>`}
      ${F&&o.length>0?c`<button type="button" @click=${()=>en(e)}>${r("passkey.prove")}</button>`:m}`,n),n.querySelector("input, button")?.focus()}var no=()=>({invalid_body:["address",r("mail.wrong")]});function ro({player:{name:e},mail:t},o,n){return c`<form aria-labelledby="mail-title" @submit=${i=>O(i,no(),async a=>{let p=A(a.address);await ft({address:p}),i.target.reset(),n(r("mail.sent",{address:p}))})}>
      <h3 id="mail-title">${r("mail.title")}</h3>
      <p>${t===void 0?r("mail.lead"):r("mail.current",{address:t.address})}</p>
      ${o}
      ${Je(r(t===void 0?"mail.label":"mail.new"))}
      ${I(e)}
      <p class="error" role="alert"></p>
      <button>${r("mail.submit")}</button>
    </form>
    ${t===void 0?m:[oo(e,...on(t.recovers),n),oo(e,ht,"mail.remove","mail.removed",n)]}`}var on=e=>e?[()=>Ie(!1),"mail.forbid","mail.forbidden"]:[()=>Ie(!0),"mail.allow","mail.allowed"];function oo(e,t,o,n,s){let i=a=>O(a,{},async()=>{await t(),s(r(n))});return c`<form aria-label=${r(o)} @submit=${i}>
    ${I(e)}
    <p class="error" role="alert"></p>
    <button>${r(o)}</button>
  </form>`}function so(e){k(r("mail.confirm_title"),c`<form @submit=${t}>
      <p>${r("mail.confirm_lead")}</p>
      <p class="error" role="alert"></p>
      <button class="primary">${r("mail.confirm_submit")}</button>
    </form>`);function t(o){return S(o,{},async()=>{await $t({link:e}),ao(r("mail.confirm_title"),r("mail.confirmed"))})}}function io(e){k(r("recovery.by_mail"),c`<form @submit=${t}>
      <p>${r("recovery.mail_lead")}</p>
      ${L(r("signin.name"),e,"username")}
      ${Je(r("mail.label"))}
      <p class="error" role="alert"></p>
      <button class="primary">${r("recovery.mail_submit")}</button>
    </form>`);function t(o){return S(o,no(),async({name:n,address:s})=>{await dt({name:A(n),mail:A(s)}),ao(r("recovery.by_mail"),r("recovery.mail_sent"))})}}function ao(e,t){k(e,c`<p class="done" tabindex="-1">${t}</p>`).querySelector(".done").focus()}function Se(e,t){let o=document.createElement("a");o.href=URL.createObjectURL(new Blob([t],{type:"text/plain"})),o.download=e,o.click(),setTimeout(()=>URL.revokeObjectURL(o.href))}function ee({player:e,recovery_code:t=""},o,n){let s=r("recovery.file",{name:e.name,host:location.host}),i=k(r("recovery.show_title"),c`<form @submit=${l}>
      <p>${o}</p>
      <p class="recovery-code" id="recovery-code" tabindex="-1" translate="no">${t.split("-").map(u=>c`<span>${u}</span> `)}</p>
      <p><small>${s}</small></p>
      <p class="ways">
        <button type="button" @click=${a}>${H("copy")} ${r("recovery.copy")}</button>
        <button type="button" @click=${p}>${H("download")} ${r("recovery.download")}</button>
        <button type="button" @click=${()=>print()}>${r("recovery.print")}</button>
      </p>
      <p id="recovery-status" role="status"></p>
      <button class="primary">${r("recovery.kept")}</button>
    </form>`,{isHeld:!0});E("recovery-code").focus();async function a(){try{await navigator.clipboard.writeText(t),E("recovery-status").textContent=r("recovery.copied")}catch{getSelection()?.selectAllChildren(E("recovery-code")),E("recovery-status").textContent=r(`recovery.by_${Vt()}`)}}function p(){Se("towers-recovery-code.txt",`${s}

${t}
`)}function l(u){u.preventDefault(),i.close(),n()}}function Ee(e){k(r("register.title"),c`<form @submit=${rn}>
      <p>${r("register.lead")}</p>
      ${L(r("register.name"),e,"username",r("register.name_hint"))}
      ${N("password",r("password.label"),"new-password")}
      <p class="error" role="alert"></p>
      <button class="primary">${r("register.submit")}</button>
      ${F?nn():X()}
    </form>`).querySelector("input")?.focus()}var nn=()=>c`<p><small id="passkey-lead">${r("passkey.instead")}</small></p>
    <button name="passkey" formnovalidate aria-describedby="passkey-lead">${r("passkey.register")}</button>`,rn=e=>S(e,{name_taken:["name"],invalid_body:["name"],weak_password:["password"]},async t=>{let o=A(t.name),n=ce(e)?{passkey:await ke({purpose:"register",name:o})}:{password:t.password},s=await st({name:o,...n});U(s.player),ee(s,r("recovery.why"),()=>R(r("register.done",{name:s.player.name})))});var sn=Q({dateStyle:"medium",timeStyle:"short"}),Qe=e=>sn.format(e);function co(e){switch(e.kind){case"muted":return r("acts.muted",{when:Qe(e.until_ms)});case"name_hidden":return r("acts.name_hidden",{name:e.name});case"role_given":return r(`acts.role_${e.role}`);default:return r(`acts.${e.kind}`)}}var lo=Q({dateStyle:"medium",timeZone:"UTC"});async function po(e,t){let o=[],n=null,s="",i=null;f();try{({passkeys:o}=await fe())}catch(h){i=P(h)}f();function a(h,x){[o,s,n]=[h,x,null],f(),e.focus()}function p(h){return O(h,{},async()=>{let x=await ke({purpose:"add"});a((await ct({passkey:x})).passkeys,r("passkey.added"))})}let l=h=>x=>S(x,{invalid_body:["label",r("passkey.label_wrong")]},async C=>{let{passkeys:B}=await lt(h,{label:A(C.label)});a(B,r("passkey.renamed"))}),u=h=>x=>O(x,{},async()=>{await pt(h),a(o.filter(C=>C.id!==h),r("passkey.removed"))});function d(h){n=n===h?null:h,f()}function f(){let h=c`<form @submit=${p}>
        ${I(t)}
        <p class="error" role="alert"></p>
        <button>${r("passkey.add")}</button>
      </form>`;g(c`<h3 id="passkeys-title">${r("passkey.title")}</h3>
        <p>${r("passkey.lead")}</p>
        <p role="status">${s}</p>
        ${o.length===0?m:c`<ul>${o.map(v)}</ul>`}
        <p class="error" role="alert">${i}</p>
        ${F?h:X()}`,e)}function v({id:h,label:x,created_ms:C,used_ms:B}){let J=x??r("passkey.unnamed"),Te={made:lo.format(C),used:lo.format(B)};return c`<li>
      <span><bdi>${J}</bdi> <small>${r("passkey.days",Te)}</small></span>
      <button aria-expanded=${n===h} aria-label=${r("passkey.change_named",{label:J})} @click=${()=>d(h)}>${r("passkey.change")}</button>
      ${n===h?_(h,J):m}
    </li>`}let _=(h,x)=>c`<form @submit=${l(h)}>
        ${Qt(r("passkey.label"),x)}
        <p class="error" role="alert"></p>
        <button>${r("rename.submit")}</button>
      </form>
      <form @submit=${u(h)}>
        <p>${r("passkey.remove_lead")}</p>
        ${I(t)}
        <p class="error" role="alert"></p>
        <button>${r("passkey.remove")}</button>
      </form>`}function an(e){return e(),new Promise(t=>{addEventListener("pagehide",t,{once:!0}),setTimeout(t,3e4)})}var pe=()=>an(()=>location.reload());async function ue(e){await te(()=>$("DELETE",`/api/v1/${e}`)),ve("left",D("account")??""),ve("name",""),await pe()}var cn=Q({dateStyle:"medium",timeZone:"UTC"});function Xe(e,t){let{name:o}=e.player,n=[],s=[],i=!0,a=null,p=null,u=k(r("security.title"),c`<div></div>`).querySelector("div");async function d(b){p=null,J();try{await b?.(),[{sessions:n},{has_password:i},{acts:s}]=await Promise.all([wt(),G(),_t()])}catch(M){p=P(M)}J()}let f=b=>d(async()=>{for(let{id:M}of b)await pn(M);a={part:"sessions",words:r("sessions.ended",{n:b.length})},u.querySelector(".sessions").focus()}),v=b=>O(b,{weak_password:["password"]},async({password:M})=>{await de({password:M}),b.target.reset(),a={part:"password",words:r("password.done")},d()});async function _(b){a={part:"mail",words:b},d(async()=>{e=await G()})}let h=b=>O(b,{},async()=>ee(await he(),r("recovery.why"),()=>Xe(e,t))),x=b=>O(b,{},async()=>Se("towers.ndjson",await yt())),C=b=>O(b,{},()=>ue("account")),B=b=>c`<p role="status">${a?.part===b?a.words:""}</p>`;function J(){let b=n.filter(({is_current:M})=>!M);g(c`<form aria-labelledby="password-title" @submit=${v}>
          <h3 id="password-title">${r(i?"password.title":"password.title_first")}</h3>
          ${B("password")}
          ${N("password",r("password.new"),"new-password")}
          ${I(o)}
          <p class="error" role="alert"></p>
          <button class="primary">${r("password.submit")}</button>
        </form>
        <section class="list passkeys" aria-labelledby="passkeys-title" tabindex="-1"></section>
        ${t?ro(e,B("mail"),_):m}
        <section class="list sessions" aria-labelledby="sessions-title" tabindex="-1">
          <h3 id="sessions-title">${r("sessions.title")}</h3>
          ${B("sessions")}
          <ul>${n.map(Te)}</ul>
          <p class="error" role="alert">${p}</p>
          <p class="ways">
            ${b.length===0?m:c`<button @click=${()=>f(b)}>${r("sessions.end_others")}</button>`}
            <button @click=${()=>d(()=>ue("sessions"))}>${r("sessions.end_all")}</button>
          </p>
        </section>
        <form aria-labelledby="code-title" @submit=${h}>
          <h3 id="code-title">${r("recovery.code")}</h3>
          <p>${r("recovery.renew_lead")}</p>
          ${I(o)}
          <p class="error" role="alert"></p>
          <button>${r("recovery.renew")}</button>
        </form>
        <form aria-labelledby="data-title" @submit=${x}>
          <h3 id="data-title">${r("data.title")}</h3>
          <p>${r("data.lead")}</p>
          ${I(o)}
          <p class="error" role="alert"></p>
          <button>${r("data.submit")}</button>
        </form>
        ${s.length===0?m:ln(s)}
        <form aria-labelledby="close-title" @submit=${C}>
          <h3 id="close-title">${r("close.title")}</h3>
          <p>${r("close.lead")}</p>
          <label class="sure"><input type="checkbox" required /> ${r("close.sure")}</label>
          ${I(o)}
          <p class="error" role="alert"></p>
          <button class="danger">${r("close.submit")}</button>
        </form>`,u)}d(),po(u.querySelector(".passkeys"),o);function Te(b){let M=b.label??r("sessions.unknown");return c`<li>
      <span>${M} <small>${r("sessions.used",{day:cn.format(b.used_ms)})}</small></span>
      ${b.is_current?c`<strong>${r("sessions.this")}</strong>`:c`<button aria-label=${r("sessions.end_named",{label:M})} @click=${()=>f([b])}>${r("sessions.end")}</button>`}
    </li>`}}var ln=e=>c`<section class="list" aria-labelledby="acts-title">
  <h3 id="acts-title">${r("acts.title")}</h3>
  <p>${r("acts.lead")}</p>
  <ul>${e.map(t=>c`<li><span>${co(t)} <small>${Qe(t.at_ms)}</small></span></li>`)}</ul>
</section>`;async function pn(e){try{await bt(e)}catch(t){if(!(t instanceof w&&t.code==="no_such_resource"))throw t}}function me(e){let t=null,o=null,n=new AbortController,s=k(r("signin.title"),c`<form @submit=${a}>
      ${L(r("signin.name"),e,"username webauthn")}
      ${N("password",r("password.label"),"current-password")}
      <p class="error" role="alert"></p>
      <p class="ways">
        <button class="primary">${r("signin.submit")}</button>
        <button type="button" class="quiet" @click=${l}>${r("signin.lost")}</button>
      </p>
      ${F?c`<button name="passkey" formnovalidate>${r("passkey.signin")}</button>`:X()}
      ${tt()}
    </form>`);s.querySelector(e===""?"input":'[name="password"]')?.focus(),s.addEventListener("close",()=>n.abort()),i();async function i(){o=await eo(n.signal),!(o===null||!s.open)&&s.querySelector("form")?.requestSubmit(s.querySelector('[name="passkey"]'))}function a(u){return et(u,{wrong_credentials:["password"]},async(v,_)=>{t=await p(u,_);let h=t,x=A(v.name),{player:C}=await te(()=>h===null?it({name:x,password:v.password,..._}):Ae(()=>at({passkey:h,..._})));U(C),await pe()},()=>t!==null)}async function p(u,d){let f=ce(u)?o:null;if(o=null,f!==null)return f;let v=t!==null&&d.reopen;return!ce(u)&&!v?$o(u)?t:null:(n.abort(),le({purpose:"sign_in"}))}async function l(){let{value:u}=s.querySelector("input");mn(u,await un())}}async function un(){try{return(await we()).mail}catch{return!1}}function mn(e,t){let o=k(r("recovery.title"),c`<form @submit=${s}>
      <p>${r("recovery.lead")}</p>
      ${L(r("signin.name"),e,"username")}
      ${Xt(r("recovery.code"))}
      ${N("password",r("password.new"),"new-password")}
      <p class="error" role="alert"></p>
      <p class="ways">
        <button class="primary">${r("recovery.submit")}</button>
        ${t?c`<button type="button" class="quiet" @click=${n}>${r("recovery.by_mail")}</button>`:m}
      </p>
      ${tt()}
    </form>`);o.querySelector(e===""?"input":'[name="code"]')?.focus();function n(){io(o.querySelector("input").value)}function s(i){let a=["code",r("recovery.wrong")];return et(i,{wrong_credentials:a,invalid_body:a,weak_password:["password"]},async({name:l,code:u,password:d},f)=>{let v={code:A(u),password:d};await fo(()=>ut({name:A(l),...v,...f}))})}}function mo(e){k(r("recovery.link_title"),c`<form @submit=${o}>
      <p>${r("recovery.link_lead")}</p>
      ${N("password",r("password.new"),"new-password")}
      <p class="error" role="alert"></p>
      <button class="primary">${r("recovery.submit")}</button>
      ${tt()}
    </form>`).querySelector("input")?.focus();function o(n){return et(n,{weak_password:["password"]},({password:s},i)=>fo(()=>mt({link:e,password:s,...i})))}}async function fo(e){let{player:t,mail:o}=await te(e);U(t);let n=[r("recovery.why_next")];o!==void 0&&!o.recovers&&n.push(r("recovery.mail_off",{address:o.address})),ee(await he(),n.join(" "),pe)}var dn={leave_guest:!1,reopen:!1},ho=new WeakMap,et=(e,t,o,n=()=>!1)=>S(e,t,async s=>{let a=e.target.querySelector(".question"),p=$o(e)&&ho.get(a)||dn;try{await o(s,p)}catch(l){if(!(l instanceof w))throw l;let{code:u,games:d}=l;if(u==="guest_has_games")uo(a,{...p,leave_guest:!0},fn(d));else if(u==="account_closed")uo(a,{...p,reopen:!0},hn(n()));else throw l}}),$o=({submitter:e})=>e?.getAttribute("name")==="agree";function uo(e,t,o){ho.set(e,t),g(o,e),e.focus()}var tt=()=>c`<section class="question" aria-labelledby="question-title" tabindex="-1"></section>`,fn=e=>c`<h3 id="question-title">${r("signin.leave_title")}</h3>
    <p>${r("signin.leave")}</p>
    <ul>${e.map(t=>c`<li><a href=${`/game/${t.id}`}>${$n(t)}</a></li>`)}</ul>
    <button class="danger" name="agree" formnovalidate>${r("signin.leave_submit")}</button>`,hn=e=>c`<h3 id="question-title">${r("signin.closed_title")}</h3>
    <p>${r("signin.closed")}</p>
    ${e?c`<p>${r("signin.closed_passkey")}</p>`:m}
    <button class="primary" name="agree" formnovalidate>${r("signin.closed_submit")}</button>`;function $n({ruleset:e,seats:t}){let o=t===null?y("lobby.your_room"):zt("game.pair",t);return[jt(e),y("page.colon"),o]}var yn=500,wn=["chat","name","play"];function bn(e,t){let o=r("report.title",{name:z(e)});if(!D("account")){k(o,gn);return}let s=k(o,c`<form @submit=${i=>S(i,{},async({kind:a,text:p})=>{let l=A(p),u=l===""?{}:{text:l};await vt({player:e.id,kind:a,game:t,...u}),s.close(),R(r("report.done"))})}>
      <p>${r("report.lead")}</p>
      <fieldset>
        <legend>${r("report.what")}</legend>
        ${wn.map(i=>c`<label class="choice"><input type="radio" name="kind" value=${i} required /> <span>${r(`report.${i}`)}</span></label>`)}
      </fieldset>
      <div class="field">
        <label for="report-text">${r("report.text")}</label>
        <textarea id="report-text" name="text" rows="3" maxlength=${yn}></textarea>
      </div>
      <p class="error" role="alert"></p>
      <button class="primary">${r("report.submit")}</button>
    </form>`)}var gn=c`<div>
  <p>${r("report.guest")}</p>
  <p class="ways">
    <button class="primary" @click=${()=>Ee("")}>${r("register.title")}</button>
    <button @click=${()=>me("")}>${r("signin.title")}</button>
  </p>
</div>`;async function xi(){let e=_e(r("visitor.title"),c`<div></div>
      <section class="list" aria-labelledby="blocks-title" tabindex="-1"></section>
      <div></div>`);if(e===null)return;let[t,o,n]=[...e.querySelectorAll("div, section")];D("account")||g(yo(e,D("name")??""),t);try{let{player:s,mail:i,role:a}=await we(),p=s.kind!=="account";g(p?yo(e,s.name):vn(e,await G(),i,a!==void 0),t),g(p?_n:xn,n),Jt(o)}catch(s){g(c`<p class="error" role="alert">${P(s)}</p>`,t)}}function ki(e){let t=document.createElement("div");t.className="ended",g(c`<p>${r("ended.words")}</p>
      <button class="primary" @click=${()=>me(e)}>${r("signin.title")}</button>
      <button class="quiet icon" aria-label=${y("page.close")} @click=${()=>t.remove()}>${H("close")}</button>`,t),E("top").append(t),R(r("ended.words"))}function Ai(e,t){e==="recover"?mo(t):so(t)}var yo=(e,t)=>c`<p>${r("visitor.guest")}</p>
    <p class="ways">
      <button class="primary" @click=${()=>Ee(Ve(t)?"":t)}>${r("register.title")}</button>
      <button @click=${()=>me("")}>${r("signin.title")}</button>
    </p>
    ${wo(e,t,"nickname",null,async o=>(await rt({name:o})).player)}`,vn=(e,t,o,n)=>c`<p>${r("visitor.account")}</p>
    <p class="ways">
      <button @click=${()=>Xe(t,o)}>${r("security.title")}</button>
      ${n?c`<a class="button" href="/moderation">${r("visitor.moderation")}</a>`:m}
    </p>
    ${wo(e,t.player.name,"username",[r("rename.hint"),...t.former_names.length===0?[]:[r("rename.former",{names:Kt(t.former_names)})]].join(" "),async s=>(await de({name:s})).player)}`;function wo(e,t,o,n,s){return c`<form @submit=${a=>S(a,{name_taken:["name"],invalid_body:["name"]},async({name:p})=>{let l=await s(A(p));e.close(),R(r("rename.done",{name:l.name})),U(l)})}>
    ${L(r("rename.label"),t,o,n)}
    <p class="error" role="alert"></p>
    <button>${r("rename.submit")}</button>
  </form>`}var bo=e=>S(e,{},()=>ue("session")),_n=c`<details class="leave">
  <summary>${r("leave.guest")}</summary>
  <form @submit=${bo}>
    <p>${r("leave.lead")}</p>
    <p class="error" role="alert"></p>
    <button class="danger">${r("leave.guest_submit")}</button>
  </form>
</details>`,xn=c`<form class="leave" @submit=${bo}>
  <p class="error" role="alert"></p>
  <button>${r("leave.title")}</button>
</form>`;export{xi as show,ki as showEnded,Ai as showLink,bn as showReport};
/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */
