var go={steadyMs:()=>performance.now(),wallMs:()=>Date.now()};function vo({steadyMs:e,wallMs:t}){let[o,n]=[-1/0,1/0],s=t()-e(),i=!1,a=e(),p=s;function l(){let d=t()-e()-p;p+=d,i?d>1e3&&(s=u()+d,[o,n]=[-1/0,1/0]):s=p}function u(){return o===-1/0?s:n===1/0?o:(o+n)/2}return{now(){return l(),e()+u()},learn(d,f){l();let v=e(),_=(v-a)*2e-4,[h,x]=[d-v,f===void 0?1/0:d-f];[o,n]=[Math.max(o-_,h),Math.min(n+_,x)],o>n&&([o,n]=[h,x]),[i,a]=[!0,v]}}}var nt=vo(go);var w=class extends Error{constructor(t,o,{line:n,turn:s,flaw:i,games:a,retryS:p}={}){super(`${t}: ${o}`),this.code=t,this.detail=o,this.line=n??null,this.turn=s??null,this.flaw=i??null,this.games=a??[],this.retryS=p??0}},_o="application/x-ndjson";async function $(e,t,o){let n={method:e,signal:AbortSignal.timeout(1e4)};if(o!==void 0){let u=typeof o=="string";n.body=u?o:JSON.stringify(o);let d=u&&!o.trimStart().startsWith("{")?"text/plain":"application/json";n.headers={"content-type":d}}let s,i;try{s=await fetch(t,n),xo(s),i=await s.text()}catch(u){throw new w("offline",String(u))}if(s.ok&&i==="")return;if(s.ok&&s.headers.get("content-type")===_o)return i;let a;try{a=JSON.parse(i)}catch(u){throw new w("unreadable",`${s.status} ${String(u)}`)}if(s.ok)return a;let p=a,l=Number(s.headers.get("retry-after"));throw new w(p.code??"unreadable",p.detail??String(s.status),{...p,retryS:l})}function xo({headers:e}){let t=Date.parse(e.get("date")??"");e.get("cache-control")?.includes("no-store")&&!Number.isNaN(t)&&nt.learn(t)}var rt=()=>$("POST","/api/v1/session"),st=e=>$("PATCH","/api/v1/session",e),it=e=>$("POST","/api/v1/account",e),B=()=>$("GET","/api/v1/account"),fe=e=>$("PATCH","/api/v1/account",e),at=e=>$("POST","/api/v1/session/password",e),Oe=e=>$("POST","/api/v1/passkeys/options",e),ct=e=>$("POST","/api/v1/session/passkey",e),he=()=>$("GET","/api/v1/passkeys"),lt=e=>$("POST","/api/v1/passkeys",e),pt=(e,t)=>$("PATCH",`/api/v1/passkeys/${encodeURIComponent(e)}`,t),ut=e=>$("DELETE",`/api/v1/passkeys/${encodeURIComponent(e)}`),mt=e=>$("POST","/api/v1/account/recover",e),dt=e=>$("POST","/api/v1/account/recover/link",e),ft=e=>$("POST","/api/v1/account/recover/mail",e),ht=e=>$("PUT","/api/v1/account/mail",e),Me=e=>$("PATCH","/api/v1/account/mail",{recovers:e}),$t=()=>$("DELETE","/api/v1/account/mail"),yt=e=>$("POST","/api/v1/account/mail/confirm",e),$e=()=>$("POST","/api/v1/account/code"),Ne=e=>$("POST","/api/v1/session/prove",e),wt=()=>$("GET","/api/v1/session/export"),bt=()=>$("GET","/api/v1/sessions"),gt=e=>$("DELETE",`/api/v1/sessions/${encodeURIComponent(e)}`);var ye=()=>$("GET","/api/v1/blocks");var vt=e=>$("DELETE",`/api/v1/blocks/${encodeURIComponent(e)}`),_t=e=>$("POST","/api/v1/reports",e),xt=()=>$("GET","/api/v1/account/acts");var St=location.protocol==="https:",Et=`${St?"__Host-":""}nothing-kept-${location.port}`,Tt=3600;function Ce(e){document.cookie=`${Et}=1; path=/; max-age=${e}; samesite=lax${St?"; secure":""}`}var kt=()=>document.cookie.split("; ").includes(`${Et}=1`);function ko(){try{if(!navigator.cookieEnabled||kt())return!1;Ce(Tt);let e=kt();return Ce(0),e}catch{return!1}}var we=null,Pt=()=>we===!1,It=()=>new w("nothing_kept","the browser keeps nothing for this site"),At=!1,Ao=!1;async function be(){if(we??=ko(),!we)throw It();At&&!Ao&&await Eo();let e=await rt();return At=!0,F(e.player),e}var So=!1;addEventListener("leaving",e=>{So=e.detail});async function ee(e){dispatchEvent(new CustomEvent("leaving",{detail:!0}));try{return await e()}catch(t){throw dispatchEvent(new CustomEvent("leaving",{detail:!1})),t}}function F(e){dispatchEvent(new CustomEvent("visitor",{detail:e}))}async function Eo(){try{await ye()}catch(e){if(!(e instanceof w&&e.code==="no_session"))return;throw we=!1,Ce(Tt),It()}}var De=globalThis,Ot=e=>e,ge=De.trustedTypes,Mt=ge?ge.createPolicy("lit-html",{createHTML:e=>e}):void 0,Ft="$lit$",U=`lit$${Math.random().toFixed(9).slice(2)}$`,Ut="?"+U,To=`<${Ut}>`,j=document,oe=()=>j.createComment(""),ne=e=>e===null||typeof e!="object"&&typeof e!="function",Be=Array.isArray,Po=e=>Be(e)||typeof e?.[Symbol.iterator]=="function",Re=`[ 	
\f\r]`,te=/<(?:(!--|\/[^a-zA-Z])|(\/?[a-zA-Z][^>\s]*)|(\/?$))/g,Nt=/-->/g,Ct=/>/g,G=RegExp(`>|${Re}(?:([^\\s"'>=/]+)(${Re}*=${Re}*(?:[^ 	
\f\r"'\`<>=]|("|')|))|$)`,"g"),Rt=/'/g,Ht=/"/g,qt=/^(?:script|style|textarea|title)$/i,Ge=e=>(t,...o)=>({_$litType$:e,strings:t,values:o}),c=Ge(1),T=Ge(2),Pn=Ge(3),K=Symbol.for("lit-noChange"),m=Symbol.for("lit-nothing"),Lt=new WeakMap,W=j.createTreeWalker(j,129);function Dt(e,t){if(!Be(e)||!e.hasOwnProperty("raw"))throw Error("invalid template strings array");return Mt!==void 0?Mt.createHTML(t):t}var Io=(e,t)=>{let o=e.length-1,n=[],s,i=t===2?"<svg>":t===3?"<math>":"",a=te;for(let p=0;p<o;p++){let l=e[p],u,d,f=-1,v=0;for(;v<l.length&&(a.lastIndex=v,d=a.exec(l),d!==null);)v=a.lastIndex,a===te?d[1]==="!--"?a=Nt:d[1]!==void 0?a=Ct:d[2]!==void 0?(qt.test(d[2])&&(s=RegExp("</"+d[2],"g")),a=G):d[3]!==void 0&&(a=G):a===G?d[0]===">"?(a=s??te,f=-1):d[1]===void 0?f=-2:(f=a.lastIndex-d[2].length,u=d[1],a=d[3]===void 0?G:d[3]==='"'?Ht:Rt):a===Ht||a===Rt?a=G:a===Nt||a===Ct?a=te:(a=G,s=void 0);let _=a===G&&e[p+1].startsWith("/>")?" ":"";i+=a===te?l+To:f>=0?(n.push(u),l.slice(0,f)+Ft+l.slice(f)+U+_):l+U+(f===-2?p:_)}return[Dt(e,i+(e[o]||"<?>")+(t===2?"</svg>":t===3?"</math>":"")),n]},re=class e{constructor({strings:t,_$litType$:o},n){let s;this.parts=[];let i=0,a=0,p=t.length-1,l=this.parts,[u,d]=Io(t,o);if(this.el=e.createElement(u,n),W.currentNode=this.el.content,o===2||o===3){let f=this.el.content.firstChild;f.replaceWith(...f.childNodes)}for(;(s=W.nextNode())!==null&&l.length<p;){if(s.nodeType===1){if(s.hasAttributes())for(let f of s.getAttributeNames())if(f.endsWith(Ft)){let v=d[a++],_=s.getAttribute(f).split(U),h=/([.?@])?(.*)/.exec(v);l.push({type:1,index:i,name:h[2],strings:_,ctor:h[1]==="."?Le:h[1]==="?"?Fe:h[1]==="@"?Ue:Z}),s.removeAttribute(f)}else f.startsWith(U)&&(l.push({type:6,index:i}),s.removeAttribute(f));if(qt.test(s.tagName)){let f=s.textContent.split(U),v=f.length-1;if(v>0){s.textContent=ge?ge.emptyScript:"";for(let _=0;_<v;_++)s.append(f[_],oe()),W.nextNode(),l.push({type:2,index:++i});s.append(f[v],oe())}}}else if(s.nodeType===8)if(s.data===Ut)l.push({type:2,index:i});else{let f=-1;for(;(f=s.data.indexOf(U,f+1))!==-1;)l.push({type:7,index:i}),f+=U.length-1}i++}}static createElement(t,o){let n=j.createElement("template");return n.innerHTML=t,n}};function Y(e,t,o=e,n){if(t===K)return t;let s=n!==void 0?o._$Co?.[n]:o._$Cl,i=ne(t)?void 0:t._$litDirective$;return s?.constructor!==i&&(s?._$AO?.(!1),i===void 0?s=void 0:(s=new i(e),s._$AT(e,o,n)),n!==void 0?(o._$Co??=[])[n]=s:o._$Cl=s),s!==void 0&&(t=Y(e,s._$AS(e,t.values),s,n)),t}var He=class{constructor(t,o){this._$AV=[],this._$AN=void 0,this._$AD=t,this._$AM=o}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}u(t){let{el:{content:o},parts:n}=this._$AD,s=(t?.creationScope??j).importNode(o,!0);W.currentNode=s;let i=W.nextNode(),a=0,p=0,l=n[0];for(;l!==void 0;){if(a===l.index){let u;l.type===2?u=new se(i,i.nextSibling,this,t):l.type===1?u=new l.ctor(i,l.name,l.strings,this,t):l.type===6&&(u=new qe(i,this,t)),this._$AV.push(u),l=n[++p]}a!==l?.index&&(i=W.nextNode(),a++)}return W.currentNode=j,s}p(t){let o=0;for(let n of this._$AV)n!==void 0&&(n.strings!==void 0?(n._$AI(t,n,o),o+=n.strings.length-2):n._$AI(t[o])),o++}},se=class e{get _$AU(){return this._$AM?._$AU??this._$Cv}constructor(t,o,n,s){this.type=2,this._$AH=m,this._$AN=void 0,this._$AA=t,this._$AB=o,this._$AM=n,this.options=s,this._$Cv=s?.isConnected??!0}get parentNode(){let t=this._$AA.parentNode,o=this._$AM;return o!==void 0&&t?.nodeType===11&&(t=o.parentNode),t}get startNode(){return this._$AA}get endNode(){return this._$AB}_$AI(t,o=this){t=Y(this,t,o),ne(t)?t===m||t==null||t===""?(this._$AH!==m&&this._$AR(),this._$AH=m):t!==this._$AH&&t!==K&&this._(t):t._$litType$!==void 0?this.$(t):t.nodeType!==void 0?this.T(t):Po(t)?this.k(t):this._(t)}O(t){return this._$AA.parentNode.insertBefore(t,this._$AB)}T(t){this._$AH!==t&&(this._$AR(),this._$AH=this.O(t))}_(t){this._$AH!==m&&ne(this._$AH)?this._$AA.nextSibling.data=t:this.T(j.createTextNode(t)),this._$AH=t}$(t){let{values:o,_$litType$:n}=t,s=typeof n=="number"?this._$AC(t):(n.el===void 0&&(n.el=re.createElement(Dt(n.h,n.h[0]),this.options)),n);if(this._$AH?._$AD===s)this._$AH.p(o);else{let i=new He(s,this),a=i.u(this.options);i.p(o),this.T(a),this._$AH=i}}_$AC(t){let o=Lt.get(t.strings);return o===void 0&&Lt.set(t.strings,o=new re(t)),o}k(t){Be(this._$AH)||(this._$AH=[],this._$AR());let o=this._$AH,n,s=0;for(let i of t)s===o.length?o.push(n=new e(this.O(oe()),this.O(oe()),this,this.options)):n=o[s],n._$AI(i),s++;s<o.length&&(this._$AR(n&&n._$AB.nextSibling,s),o.length=s)}_$AR(t=this._$AA.nextSibling,o){for(this._$AP?.(!1,!0,o);t!==this._$AB;){let n=Ot(t).nextSibling;Ot(t).remove(),t=n}}setConnected(t){this._$AM===void 0&&(this._$Cv=t,this._$AP?.(t))}},Z=class{get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}constructor(t,o,n,s,i){this.type=1,this._$AH=m,this._$AN=void 0,this.element=t,this.name=o,this._$AM=s,this.options=i,n.length>2||n[0]!==""||n[1]!==""?(this._$AH=Array(n.length-1).fill(new String),this.strings=n):this._$AH=m}_$AI(t,o=this,n,s){let i=this.strings,a=!1;if(i===void 0)t=Y(this,t,o,0),a=!ne(t)||t!==this._$AH&&t!==K,a&&(this._$AH=t);else{let p=t,l,u;for(t=i[0],l=0;l<i.length-1;l++)u=Y(this,p[n+l],o,l),u===K&&(u=this._$AH[l]),a||=!ne(u)||u!==this._$AH[l],u===m?t=m:t!==m&&(t+=(u??"")+i[l+1]),this._$AH[l]=u}a&&!s&&this.j(t)}j(t){t===m?this.element.removeAttribute(this.name):this.element.setAttribute(this.name,t??"")}},Le=class extends Z{constructor(){super(...arguments),this.type=3}j(t){this.element[this.name]=t===m?void 0:t}},Fe=class extends Z{constructor(){super(...arguments),this.type=4}j(t){this.element.toggleAttribute(this.name,!!t&&t!==m)}},Ue=class extends Z{constructor(t,o,n,s,i){super(t,o,n,s,i),this.type=5}_$AI(t,o=this){if((t=Y(this,t,o,0)??m)===K)return;let n=this._$AH,s=t===m&&n!==m||t.capture!==n.capture||t.once!==n.once||t.passive!==n.passive,i=t!==m&&(n===m||s);s&&this.element.removeEventListener(this.name,this,n),i&&this.element.addEventListener(this.name,this,t),this._$AH=t}handleEvent(t){typeof this._$AH=="function"?this._$AH.call(this.options?.host??this.element,t):this._$AH.handleEvent(t)}},qe=class{constructor(t,o,n){this.element=t,this.type=6,this._$AN=void 0,this._$AM=o,this.options=n}get _$AU(){return this._$AM._$AU}_$AI(t){Y(this,t)}};var Oo=De.litHtmlPolyfillSupport;Oo?.(re,se),(De.litHtmlVersions??=[]).push("3.3.3");var g=(e,t,o)=>{let n=o?.renderBefore??t,s=n._$litPart$;if(s===void 0){let i=o?.renderBefore??null;n._$litPart$=s=new se(t.insertBefore(oe(),i),i,void 0,o??{})}return s._$AI(e),s};var We=Object.getPrototypeOf(g(m,document.createDocumentFragment())),Bt=We._$AC(c`<p>${m}</p>`).constructor,{_$AI:Mo}=We;We._$AI=function(e,...t){let o=this._$AH;(typeof o=="string"||typeof o=="number")&&e!==o&&e!==K&&!(this.startNode.nextSibling instanceof Text)&&(this._$AR(),this._$AH=m),Mo.call(this,e,...t)};var{createElement:No}=Bt;Bt.createElement=(e,t)=>{let o=No(e,t),n=document.createTreeWalker(o.content,NodeFilter.SHOW_COMMENT);for(;n.nextNode();){let{currentNode:s}=n;s.nextSibling instanceof Text&&(s.after(document.createComment("")),n.nextNode())}return o};async function Gt(e,t){for(let o=0,n=500;;o++,n=Math.min(2*n,15e3))try{let s=await t(o);return dispatchEvent(new CustomEvent("partloaded",{detail:e})),s}catch{dispatchEvent(new CustomEvent("partmissing",{detail:e})),await new Promise(s=>setTimeout(s,n))}}var Co=/[\u061c\u200f\u202a-\u202e\u2066-\u2069\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u,Ro=e=>Co.test(e)?`⁨${e}⁩`:e;function Ho(e,t){let o=new Intl.PluralRules(e),n=new Intl.NumberFormat(e);return(s,i={})=>{let a=t[s];return a===void 0?s:(typeof a=="string"?a:a[o.select(Number(i.n))]??a.other).replace(/\{(\w+)\}/g,(l,u)=>{let d=i[u]??"";return typeof d=="number"?n.format(d):Ro(d)})}}function je(){return document.documentElement.lang==="fr"?"fr":"en"}function Wt(e,t){let o=t.flatMap(Lo),n=o.find(i=>i.language===e);if(n?.region)return n.toString();let s=o.find(i=>i.region)?.region;return s===void 0?e:new Intl.Locale(e,{region:s}).toString()}function Lo(e){try{return[new Intl.Locale(e)]}catch{return[]}}function ve(e){let{href:t}=document.getElementById("words");return Gt("words",async()=>{let o=await fetch(e??t);if(!o.ok)throw new Error(`${o.status}`);return Ho(je(),await o.json())})}var Ke=new Map;function q(e){try{return Ke.get(e)??localStorage.getItem(e)}catch{return null}}function _e(e,t){Ke.delete(e);try{if(localStorage.setItem(e,t),localStorage.getItem(e)===t)return}catch{}Ke.set(e,t)}var Fo=[{game:"fibonacci",rulesets:["fibonacci","fibonacci-mixed","fibonacci-cards"],first:"black",second:"white"},{game:"fenix",rulesets:["fenix"],first:"red",second:"blue"},{game:"focus",rulesets:["focus","focus-classic"],first:"white",second:"black"},{game:"crossfire",rulesets:["crossfire"],first:"white",second:"black"}],Bn=Fo.flatMap(({rulesets:e})=>e),Ve=je(),y=await ve(),jt=E("favicon"),{href:Gn}=jt,Wn=jt.dataset.turn??"";var Uo=300,qo={polite:{timer:0,last:"",waiting:[]},assertive:{timer:0,last:"",waiting:[]}};function V(e,t="polite"){let o=qo[t];o.waiting.includes(e)||o.waiting.push(e),clearTimeout(o.timer),o.timer=window.setTimeout(()=>{let n=o.waiting.join(" ");o.waiting=[],n===o.last&&(n+=" "),o.last=n,E(t).textContent=n},Uo)}function P(e){if(!(e instanceof w))throw e;let t=e.code==="no_session"&&Pt()?"nothing_kept":e.code;if(t==="too_fast"&&e.retryS>1)return y("refusal.wait",{when:Bo(e.retryS)});let o=`refusal.${t}`,n=y(o);return n===o?y("refusal.other",{code:t}):n}var Do=new Intl.RelativeTimeFormat(Ve);function Bo(e){let[t,o]=e<100?[1,"second"]:e<6e3?[60,"minute"]:[3600,"hour"];return Do.format(Math.ceil(e/t),o)}var Kt=e=>y(`ruleset.${e}`);var z=({name:e,kind:t})=>t==="deleted"?y("page.deleted"):e,ie=e=>new Intl.DateTimeFormat(Wt(Ve,navigator.languages),e),Go=ie({dateStyle:"medium",timeStyle:"short"}),xe=e=>Go.format(e),Vt=e=>new Intl.ListFormat(Ve,{type:"conjunction"}).format(e),zt=()=>matchMedia("(pointer: coarse)").matches?"touch":"keys";function E(e){let t=document.getElementById(e);if(t===null)throw new Error(`the page has no element #${e}`);return t}var Wo={close:T`<path d="m6 6 12 12M18 6 6 18"/>`,undo:T`<path d="M8.5 5 4.5 9l4 4M5 9h9a5.5 5.5 0 0 1 0 11h-4"/>`,back:T`<path d="M11.500 6.500 6 12l5.500 5.500M18 6.500 12.500 12l5.500 5.500"/>`,restart:T`<path d="M5 12a7 7 0 1 1 2.2 5.1M5 17.5V13h4.5"/>`,check:T`<path d="m5 12.5 4.5 4.5L19 7.5"/>`,flip:T`<path d="M8 4v15m0 0-3.5-3.5M8 19l3.5-3.5M16 20V5m0 0-3.5 3.5M16 5l3.5 3.5"/>`,eye:T`<path d="M2.5 12c4.5-7.3 14.5-7.3 19 0-4.5 7.3-14.5 7.3-19 0Z"/><circle cx="12" cy="12" r="2.8"/>`,bulb:T`<path d="M9 18h6M10 21h4M12 3a6 6 0 0 0-3.600 10.800c.600.500.600 1.200.600 2.200h6c0-1 0-1.700.600-2.200A6 6 0 0 0 12 3Z"/>`,copy:T`<rect x="8.5" y="8.5" width="11" height="11" rx="2"/><path d="M15.5 5.5a1 1 0 0 0-1-1h-9a1 1 0 0 0-1 1v9a1 1 0 0 0 1 1"/>`,share:T`<path d="M12 15.5v-11m0 0-4 4m4-4 4 4M5 13.5v6h14v-6"/>`,stack:T`<ellipse cx="12" cy="7" rx="7.5" ry="3"/><path d="M4.5 7v5c0 1.66 3.36 3 7.5 3s7.5-1.34 7.5-3V7M4.5 12v5c0 1.66 3.36 3 7.5 3s7.5-1.34 7.5-3v-5"/>`,download:T`<path d="M12 4v11m0 0-4-4m4 4 4-4M5 19.5h14"/>`},jo=e=>c`<svg class="ic" viewBox="0 0 24 24" aria-hidden="true" focusable="false">${e}</svg>`,R=e=>jo(Wo[e]);var ze=null;function ke(e,t,{isHeld:o}={isHeld:!1}){if(ze?.open)return null;ze?.remove();let n=document.createElement("dialog");return n.setAttribute("aria-labelledby","dialog-title"),g(c`<header class="dialog-head">
        <h2 id="dialog-title">${e}</h2>
        ${o?m:c`<button class="quiet icon" aria-label=${y("page.close")} @click=${()=>n.close()}>${R("close")}</button>`}
      </header>
      ${t}`,n),n.addEventListener("click",s=>s.target===n&&!o&&n.close()),n.addEventListener("close",()=>n.remove()),o&&(n.setAttribute("closedby","none"),n.addEventListener("cancel",s=>s.preventDefault())),ze=n,document.body.append(n),n.showModal(),n}var Ko=/[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;var A=e=>e.replace(Ko,"").replace(/\s+/g," ").trim();var Je=e=>/^(Guest|Invité) \d+$/.test(e),Vo=8;function Ye(e){let t=z(e),o=zo(e);if(o===m)return c`<bdi>${t}</bdi>`;let n=t.length-t.lastIndexOf(" ")<=Vo;return c`<bdi>${t}</bdi>${n?" ":" "}${o}`}function zo({name:e,kind:t}){return t==="guest"&&!Je(e)?c`<span class="guest-mark">${y("page.guest_mark")}</span>`:m}function Jt(e,t,o){let n=Object.keys(t).map(i=>[i,`{${i}}`]);return y(e,{...o,...Object.fromEntries(n)}).split(/\{(\w+)\}/).map((i,a)=>a%2===0?i:Ye(t[i]))}var r=await ve(E("top").dataset.visitorWords);async function Yt(e){let t=null,o=null,n=!1;await s(async()=>{t=(await ye()).players});async function s(p){o=null;try{await p()}catch(l){o=P(l)}a()}let i=p=>s(async()=>{await vt(p.id),n=!0,t=(t??[]).filter(l=>l.id!==p.id),V(r("blocks.unblocked",{name:z(p)})),e.focus()});function a(){let p=(t??[]).map(u=>c`<li><span>${Ye(u)}</span>
        <button aria-label=${r("blocks.unblock_named",{name:z(u)})} @click=${()=>i(u)}>${r("blocks.unblock")}</button></li>`),l=t?.length===0&&n;g(p.length===0&&o===null&&!l?m:c`<h3 id="blocks-title">${r("blocks.title")}</h3>
            <p>${l?r("blocks.none"):r("blocks.lead")}</p>
            ${p.length===0?m:c`<ul>${p}</ul>`}
            <p class="error" role="alert">${o}</p>`,e)}}var Zt=80,Jo=e=>`${e[0].toLocaleUpperCase()}${e.slice(1)}.`;function Yo(e,t){let o=e.split(`
`)[t-1]?.trim()??"";return o===""?"":y("record.found",{text:o.length>Zt?`${o.slice(0,Zt)}…`:o})}function Zo(e){switch(e.code){case"expected":{let t=y(`flaw.what_${e.what}`);return e.field===null?y("flaw.expected",{what:t}):y("flaw.expected_in",{field:e.field,what:t})}case"position":return y("flaw.position",{n:e.at+1,rule:e.rule});case"illegal":case"incomplete":return y(`flaw.${e.code}`,{n:e.index+1,rule:e.rule});case"game_over":return y("flaw.game_over",{n:e.index+1});case"wrong_ending":return y("flaw.wrong_ending",{result:e.winner??"draw",reason:e.reason});case"newer_version":return y("flaw.newer_version",{version:String(e.version)});case"wrong_number":return y("flaw.wrong_number",{expected:String(e.expected)});default:return y(`flaw.${e.code}`,e)}}function Qt(e,t=""){let o=P(e);if(!(e instanceof w)||e.flaw===null)return c`${o}`;let{line:n,turn:s,flaw:i}=e,a=[...n===null?[]:[y("record.line",{n})],...s===null?[]:[y("record.turn",{n:s})]].join(", "),p=n===null?"":Yo(t,n);return c`${o} ${Jo(`${a}${a===""?"":y("page.colon")}${Zo(i)}`)} ${p}`}async function Ae(e,t,o){let n=e.querySelector('button:not([type="button"])'),s=e.querySelector('.error[role="alert"]');if(!n.hasAttribute("aria-disabled")){n.setAttribute("aria-disabled","true"),g(m,s);try{await t()}catch(i){g(Qt(i,o),s),s.scrollIntoView({block:"nearest"})}n.removeAttribute("aria-disabled")}}var ae=(e,t,o,n)=>c`<div class="field">
    <label for=${`${e}-field`}>${t}</label>
    ${n(`${e}-field`,`${e}-hint ${e}-error`)}
    <small id=${`${e}-hint`}>${o}</small>
    <p class="error" id=${`${e}-error`}></p>
  </div>`,H=(e,t,o,n=null)=>ae("name",e,n,(s,i)=>c`<input id=${s} name="name" required maxlength="24" autocomplete=${o} autocapitalize="off"
      spellcheck="false" value=${t} aria-describedby=${i} />`),Xt=(e,t)=>ae("label",e,null,(o,n)=>c`<input id=${o} name="label" required maxlength="40" autocomplete="off" value=${t}
      aria-describedby=${n} />`),eo=e=>ae("code",e,null,(t,o)=>c`<input id=${t} name="code" required maxlength="40" autocomplete="off" autocapitalize="characters"
      spellcheck="false" aria-describedby=${o} />`),Ze=e=>ae("address",e,null,(t,o)=>c`<input id=${t} name="address" type="email" required maxlength="254" autocomplete="email"
      aria-describedby=${o} />`),N=(e,t,o,n=null)=>{let s=o==="new-password";return ae(e,t,s?r("password.hint"):n,(i,a)=>c`<span class="secret">
      <input id=${i} name=${e} type="password" required minlength=${s?8:m} maxlength="128"
        autocomplete=${o} aria-describedby=${a} />
      <button type="button" class="quiet icon" aria-pressed="false" title=${r("password.show")} aria-label=${r("password.show")}
        @click=${Qo}>${R("eye")}</button>
    </span>`)};function Qo(e){let t=e.currentTarget,o=t.previousElementSibling,n=o.type==="text";o.type=n?"password":"text",t.setAttribute("aria-pressed",String(!n))}var ce=({submitter:e})=>e instanceof HTMLButtonElement&&e.name==="passkey";async function S(e,t,o){e.preventDefault();let n=e.target;await Ae(n,async()=>{for(let s of n.querySelectorAll("[aria-invalid]"))s.removeAttribute("aria-invalid"),E(s.id.replace(/field$/,"error")).textContent="";try{await o(Object.fromEntries(new FormData(n)))}catch(s){let i=s instanceof w?t[s.code]:void 0;if(i===void 0)throw s;let[a,p=P(s)]=i,l=E(`${a}-field`);E(`${a}-error`).textContent=p,l.setAttribute("aria-invalid","true"),l.focus()}})}function k(e,t,o){return document.querySelector("dialog[open]")?.close(),ke(e,t,o)}function le(e,t){k(e,c`<p class="done" tabindex="-1">${t}</p>`).querySelector(".done").focus()}var{hostname:Qe}=location,Xo=/^[\d.]+$|^\[/.test(Qe),L=!Xo&&"parseCreationOptionsFromJSON"in(globalThis.PublicKeyCredential??{}),Q=()=>{if(!["127.0.0.1","[::1]"].includes(Qe))return m;let e=new URL(location.href);return e.hostname="localhost",c`<p><small>${r("passkey.elsewhere")} <a href=${e.href}>${e.host}</a></small></p>`};async function Se(e){let t=await Oe(e);return oo("passkey_not_made",t.rp.id,()=>navigator.credentials.create({publicKey:PublicKeyCredential.parseCreationOptionsFromJSON(t)}))}async function pe(e,t={}){let o=await Oe(e);return oo("passkey_not_used",o.rpId,()=>navigator.credentials.get({publicKey:PublicKeyCredential.parseRequestOptionsFromJSON(o),...t}))}async function to(e){if(!L||!await PublicKeyCredential.isConditionalMediationAvailable?.())return null;try{return await pe({purpose:"sign_in"},{mediation:"conditional",signal:e})}catch(t){if(t instanceof w)return null;throw t}}async function Ee(e){try{return await e()}catch(t){throw t instanceof w&&t.code==="wrong_credentials"?new w("passkey_unknown",t.detail):t}}var en={InvalidStateError:"passkey_there",ConstraintError:"passkey_unable",NotSupportedError:"passkey_unable",SecurityError:"passkey_elsewhere"};async function oo(e,t,o){if(t!==Qe)throw new w("passkey_elsewhere",String(t));try{return(await o()).toJSON()}catch(n){throw n instanceof DOMException?new w(en[n.name]??e,n.message):n}}var I=e=>c`<input name="username" autocomplete="username" value=${e} hidden />
  <div class="proof"></div>`,O=(e,t,o)=>S(e,{...t,wrong_credentials:["proof",r("password.wrong")]},async n=>{n.proof!==void 0&&await Ne({password:n.proof});try{await o(n)}catch(s){if(!(s instanceof w&&s.code==="prove_again"))throw s;await on(e.target);return}Xe()});async function tn(e){let t=!1;await Ae(e,async()=>{let o=await pe({purpose:"prove"});await Ee(()=>Ne({passkey:o})),t=!0}),t&&(Xe(),e.requestSubmit())}function Xe(){for(let e of document.querySelectorAll(".proof"))g(m,e)}async function on(e){let[{has_password:t},{passkeys:o}]=await Promise.all([B(),he()]);Xe();let n=e.querySelector(".proof");g(c`${t?N("proof",r("password.current"),"current-password",r("password.prove")):c`<p>${r("password.prove")}</p>`}
      ${L&&o.length>0?c`<button type="button" @click=${()=>tn(e)}>${r("passkey.prove")}</button>`:m}`,n),n.querySelector("input, button")?.focus()}var ro=()=>({invalid_body:["address",r("mail.wrong")]});function so({player:{name:e},mail:t},o,n){return c`<form aria-labelledby="mail-title" @submit=${i=>O(i,ro(),async a=>{let p=A(a.address);await ht({address:p}),i.target.reset(),n(r("mail.sent",{address:p}))})}>
      <h3 id="mail-title">${r("mail.title")}</h3>
      <p>${t===void 0?r("mail.lead"):r("mail.current",{address:t.address})}</p>
      ${o}
      ${Ze(r(t===void 0?"mail.label":"mail.new"))}
      ${I(e)}
      <p class="error" role="alert"></p>
      <button>${r("mail.submit")}</button>
    </form>
    ${t===void 0?m:[no(e,...nn(t.recovers),n),no(e,$t,"mail.remove","mail.removed",n)]}`}var nn=e=>e?[()=>Me(!1),"mail.forbid","mail.forbidden"]:[()=>Me(!0),"mail.allow","mail.allowed"];function no(e,t,o,n,s){let i=a=>O(a,{},async()=>{await t(),s(r(n))});return c`<form aria-label=${r(o)} @submit=${i}>
    ${I(e)}
    <p class="error" role="alert"></p>
    <button>${r(o)}</button>
  </form>`}function io(e){k(r("mail.confirm_title"),c`<form @submit=${t}>
      <p>${r("mail.confirm_lead")}</p>
      <p class="error" role="alert"></p>
      <button class="primary">${r("mail.confirm_submit")}</button>
    </form>`);function t(o){return S(o,{},async()=>{await yt({link:e}),le(r("mail.confirm_title"),r("mail.confirmed"))})}}function ao(e){k(r("recovery.by_mail"),c`<form @submit=${t}>
      <p>${r("recovery.mail_lead")}</p>
      ${H(r("signin.name"),e,"username")}
      ${Ze(r("mail.label"))}
      <p class="error" role="alert"></p>
      <button class="primary">${r("recovery.mail_submit")}</button>
    </form>`);function t(o){return S(o,ro(),async({name:n,address:s})=>{await ft({name:A(n),mail:A(s)}),le(r("recovery.by_mail"),r("recovery.mail_sent"))})}}function Te(e,t){let o=document.createElement("a");o.href=URL.createObjectURL(new Blob([t],{type:"text/plain"})),o.download=e,o.click(),setTimeout(()=>URL.revokeObjectURL(o.href))}function X({player:e,recovery_code:t=""},o,n){let s=r("recovery.file",{name:e.name,host:location.host}),i=k(r("recovery.show_title"),c`<form @submit=${l}>
      <p>${o}</p>
      <p class="recovery-code" id="recovery-code" tabindex="-1" translate="no">${t.split("-").map(u=>c`<span>${u}</span> `)}</p>
      <p><small>${s}</small></p>
      <p class="ways">
        <button type="button" @click=${a}>${R("copy")} ${r("recovery.copy")}</button>
        <button type="button" @click=${p}>${R("download")} ${r("recovery.download")}</button>
        <button type="button" @click=${()=>print()}>${r("recovery.print")}</button>
      </p>
      <p id="recovery-status" role="status"></p>
      <button class="primary">${r("recovery.kept")}</button>
    </form>`,{isHeld:!0});E("recovery-code").focus();async function a(){try{await navigator.clipboard.writeText(t),E("recovery-status").textContent=r("recovery.copied")}catch{getSelection()?.selectAllChildren(E("recovery-code")),E("recovery-status").textContent=r(`recovery.by_${zt()}`)}}function p(){Te("towers-recovery-code.txt",`${s}

${t}
`)}function l(u){u.preventDefault(),i.close(),n()}}function Pe(e){k(r("register.title"),c`<form @submit=${sn}>
      <p>${r("register.lead")}</p>
      ${H(r("register.name"),e,"username",r("register.name_hint"))}
      ${N("password",r("password.label"),"new-password")}
      <p class="error" role="alert"></p>
      <button class="primary">${r("register.submit")}</button>
      ${L?rn():Q()}
    </form>`).querySelector("input")?.focus()}var rn=()=>c`<p><small id="passkey-lead">${r("passkey.instead")}</small></p>
    <button name="passkey" formnovalidate aria-describedby="passkey-lead">${r("passkey.register")}</button>`,sn=e=>S(e,{name_taken:["name"],invalid_body:["name"],weak_password:["password"]},async t=>{let o=A(t.name),n=ce(e)?{passkey:await Se({purpose:"register",name:o})}:{password:t.password},s=await it({name:o,...n});F(s.player),X(s,r("recovery.why"),()=>V(r("register.done",{name:s.player.name})))});function co(e){switch(e.kind){case"muted":return r("acts.muted",{when:xe(e.until_ms)});case"name_hidden":return r("acts.name_hidden",{name:e.name});case"role_given":return r(`acts.role_${e.role}`);default:return r(`acts.${e.kind}`)}}var lo=ie({dateStyle:"medium",timeZone:"UTC"});async function po(e,t){let o=[],n=null,s="",i=null;f();try{({passkeys:o}=await he())}catch(h){i=P(h)}f();function a(h,x){[o,s,n]=[h,x,null],f(),e.focus()}function p(h){return O(h,{},async()=>{let x=await Se({purpose:"add"});a((await lt({passkey:x})).passkeys,r("passkey.added"))})}let l=h=>x=>S(x,{invalid_body:["label",r("passkey.label_wrong")]},async C=>{let{passkeys:D}=await pt(h,{label:A(C.label)});a(D,r("passkey.renamed"))}),u=h=>x=>O(x,{},async()=>{await ut(h),a(o.filter(C=>C.id!==h),r("passkey.removed"))});function d(h){n=n===h?null:h,f()}function f(){let h=c`<form @submit=${p}>
        ${I(t)}
        <p class="error" role="alert"></p>
        <button>${r("passkey.add")}</button>
      </form>`;g(c`<h3 id="passkeys-title">${r("passkey.title")}</h3>
        <p>${r("passkey.lead")}</p>
        <p role="status">${s}</p>
        ${o.length===0?m:c`<ul>${o.map(v)}</ul>`}
        <p class="error" role="alert">${i}</p>
        ${L?h:Q()}`,e)}function v({id:h,label:x,created_ms:C,used_ms:D}){let J=x??r("passkey.unnamed"),Ie={made:lo.format(C),used:lo.format(D)};return c`<li>
      <span><bdi>${J}</bdi> <small>${r("passkey.days",Ie)}</small></span>
      <button aria-expanded=${n===h} aria-label=${r("passkey.change_named",{label:J})} @click=${()=>d(h)}>${r("passkey.change")}</button>
      ${n===h?_(h,J):m}
    </li>`}let _=(h,x)=>c`<form @submit=${l(h)}>
        ${Xt(r("passkey.label"),x)}
        <p class="error" role="alert"></p>
        <button>${r("rename.submit")}</button>
      </form>
      <form @submit=${u(h)}>
        <p>${r("passkey.remove_lead")}</p>
        ${I(t)}
        <p class="error" role="alert"></p>
        <button>${r("passkey.remove")}</button>
      </form>`}function an(e){return e(),new Promise(t=>{addEventListener("pagehide",t,{once:!0}),setTimeout(t,3e4)})}var ue=()=>an(()=>location.reload());async function me(e){await ee(()=>$("DELETE",`/api/v1/${e}`)),_e("left",q("account")??""),_e("name",""),await ue()}var cn=ie({dateStyle:"medium",timeZone:"UTC"});function et(e,t){let{name:o}=e.player,n=[],s=[],i=!0,a=null,p=null,u=k(r("security.title"),c`<div></div>`).querySelector("div");async function d(b){p=null,J();try{await b?.(),[{sessions:n},{has_password:i},{acts:s}]=await Promise.all([bt(),B(),xt()])}catch(M){p=P(M)}J()}let f=b=>d(async()=>{for(let{id:M}of b)await pn(M);a={part:"sessions",words:r("sessions.ended",{n:b.length})},u.querySelector(".sessions").focus()}),v=b=>O(b,{weak_password:["password"]},async({password:M})=>{await fe({password:M}),b.target.reset(),a={part:"password",words:r("password.done")},d()});async function _(b){a={part:"mail",words:b},d(async()=>{e=await B()})}let h=b=>O(b,{},async()=>X(await $e(),r("recovery.why"),()=>et(e,t))),x=b=>O(b,{},async()=>Te("towers.ndjson",await wt())),C=b=>O(b,{},()=>me("account")),D=b=>c`<p role="status">${a?.part===b?a.words:""}</p>`;function J(){let b=n.filter(({is_current:M})=>!M);g(c`<form aria-labelledby="password-title" @submit=${v}>
          <h3 id="password-title">${r(i?"password.title":"password.title_first")}</h3>
          ${D("password")}
          ${N("password",r("password.new"),"new-password")}
          ${I(o)}
          <p class="error" role="alert"></p>
          <button class="primary">${r("password.submit")}</button>
        </form>
        <section class="list passkeys" aria-labelledby="passkeys-title" tabindex="-1"></section>
        ${t?so(e,D("mail"),_):m}
        <section class="list sessions" aria-labelledby="sessions-title" tabindex="-1">
          <h3 id="sessions-title">${r("sessions.title")}</h3>
          ${D("sessions")}
          <ul>${n.map(Ie)}</ul>
          <p class="error" role="alert">${p}</p>
          <p class="ways">
            ${b.length===0?m:c`<button @click=${()=>f(b)}>${r("sessions.end_others")}</button>`}
            <button @click=${()=>d(()=>me("sessions"))}>${r("sessions.end_all")}</button>
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
        </form>`,u)}d(),po(u.querySelector(".passkeys"),o);function Ie(b){let M=b.label??r("sessions.unknown");return c`<li>
      <span>${M} <small>${r("sessions.used",{day:cn.format(b.used_ms)})}</small></span>
      ${b.is_current?c`<strong>${r("sessions.this")}</strong>`:c`<button aria-label=${r("sessions.end_named",{label:M})} @click=${()=>f([b])}>${r("sessions.end")}</button>`}
    </li>`}}var ln=e=>c`<section class="list" aria-labelledby="acts-title">
  <h3 id="acts-title">${r("acts.title")}</h3>
  <p>${r("acts.lead")}</p>
  <ul>${e.map(t=>c`<li><span>${co(t)} <small>${xe(t.at_ms)}</small></span></li>`)}</ul>
</section>`;async function pn(e){try{await gt(e)}catch(t){if(!(t instanceof w&&t.code==="no_such_resource"))throw t}}function de(e){let t=null,o=null,n=new AbortController,s=k(r("signin.title"),c`<form @submit=${a}>
      ${H(r("signin.name"),e,"username webauthn")}
      ${N("password",r("password.label"),"current-password")}
      <p class="error" role="alert"></p>
      <p class="ways">
        <button class="primary">${r("signin.submit")}</button>
        <button type="button" class="quiet" @click=${l}>${r("signin.lost")}</button>
      </p>
      ${L?c`<button name="passkey" formnovalidate>${r("passkey.signin")}</button>`:Q()}
      ${ot()}
    </form>`);s.querySelector(e===""?"input":'[name="password"]')?.focus(),s.addEventListener("close",()=>n.abort()),i();async function i(){o=await to(n.signal),!(o===null||!s.open)&&s.querySelector("form")?.requestSubmit(s.querySelector('[name="passkey"]'))}function a(u){return tt(u,{wrong_credentials:["password"]},async(v,_)=>{t=await p(u,_);let h=t,x=A(v.name),{player:C}=await ee(()=>h===null?at({name:x,password:v.password,..._}):Ee(()=>ct({passkey:h,..._})));F(C),await ue()},()=>t!==null)}async function p(u,d){let f=ce(u)?o:null;if(o=null,f!==null)return f;let v=t!==null&&d.reopen;return!ce(u)&&!v?$o(u)?t:null:(n.abort(),pe({purpose:"sign_in"}))}async function l(){let{value:u}=s.querySelector("input");mn(u,await un())}}async function un(){try{return(await be()).mail}catch{return!1}}function mn(e,t){let o=k(r("recovery.title"),c`<form @submit=${s}>
      <p>${r("recovery.lead")}</p>
      ${H(r("signin.name"),e,"username")}
      ${eo(r("recovery.code"))}
      ${N("password",r("password.new"),"new-password")}
      <p class="error" role="alert"></p>
      <p class="ways">
        <button class="primary">${r("recovery.submit")}</button>
        ${t?c`<button type="button" class="quiet" @click=${n}>${r("recovery.by_mail")}</button>`:m}
      </p>
      ${ot()}
    </form>`);o.querySelector(e===""?"input":'[name="code"]')?.focus();function n(){ao(o.querySelector("input").value)}function s(i){let a=["code",r("recovery.wrong")];return tt(i,{wrong_credentials:a,invalid_body:a,weak_password:["password"]},async({name:l,code:u,password:d},f)=>{let v={code:A(u),password:d};await fo(()=>mt({name:A(l),...v,...f}))})}}function mo(e){k(r("recovery.link_title"),c`<form @submit=${o}>
      <p>${r("recovery.link_lead")}</p>
      ${N("password",r("password.new"),"new-password")}
      <p class="error" role="alert"></p>
      <button class="primary">${r("recovery.submit")}</button>
      ${ot()}
    </form>`).querySelector("input")?.focus();function o(n){return tt(n,{weak_password:["password"]},({password:s},i)=>fo(()=>dt({link:e,password:s,...i})))}}async function fo(e){let{player:t,mail:o}=await ee(e);F(t);let n=[r("recovery.why_next")];o!==void 0&&!o.recovers&&n.push(r("recovery.mail_off",{address:o.address})),X(await $e(),n.join(" "),ue)}var dn={leave_guest:!1,reopen:!1},ho=new WeakMap,tt=(e,t,o,n=()=>!1)=>S(e,t,async s=>{let a=e.target.querySelector(".question"),p=$o(e)&&ho.get(a)||dn;try{await o(s,p)}catch(l){if(!(l instanceof w))throw l;let{code:u,games:d}=l;if(u==="guest_has_games")uo(a,{...p,leave_guest:!0},fn(d));else if(u==="account_closed")uo(a,{...p,reopen:!0},hn(n()));else throw l}}),$o=({submitter:e})=>e?.getAttribute("name")==="agree";function uo(e,t,o){ho.set(e,t),g(o,e),e.focus()}var ot=()=>c`<section class="question" aria-labelledby="question-title" tabindex="-1"></section>`,fn=e=>c`<h3 id="question-title">${r("signin.leave_title")}</h3>
    <p>${r("signin.leave")}</p>
    <ul>${e.map(t=>c`<li><a href=${`/game/${t.id}`}>${$n(t)}</a></li>`)}</ul>
    <button class="danger" name="agree" formnovalidate>${r("signin.leave_submit")}</button>`,hn=e=>c`<h3 id="question-title">${r("signin.closed_title")}</h3>
    <p>${r("signin.closed")}</p>
    ${e?c`<p>${r("signin.closed_passkey")}</p>`:m}
    <button class="primary" name="agree" formnovalidate>${r("signin.closed_submit")}</button>`;function $n({ruleset:e,seats:t}){let o=t===null?y("lobby.your_room"):Jt("game.pair",t);return[Kt(e),y("page.colon"),o]}var yn=500,wn=["chat","name","play"];function bn(e,t){let o=r("report.title",{name:z(e)});if(!q("account")){k(o,gn);return}k(o,c`<form @submit=${s=>S(s,{},async({kind:i,text:a})=>{let p=A(a),l=p===""?{}:{text:p};await _t({player:e.id,kind:i,game:t,...l}),le(o,r("report.done"))})}>
      <p>${r("report.lead")}</p>
      <fieldset>
        <legend>${r("report.what")}</legend>
        ${wn.map(s=>c`<label class="choice"><input type="radio" name="kind" value=${s} required /> <span>${r(`report.${s}`)}</span></label>`)}
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
    <button class="primary" @click=${()=>Pe("")}>${r("register.title")}</button>
    <button @click=${()=>de("")}>${r("signin.title")}</button>
  </p>
</div>`;async function ki(){let e=ke(r("visitor.title"),c`<div></div>
      <section class="list" aria-labelledby="blocks-title" tabindex="-1"></section>
      <div></div>`);if(e===null)return;let[t,o,n]=[...e.querySelectorAll("div, section")];q("account")||g(yo(e,q("name")??""),t);try{let{player:s,mail:i,role:a}=await be(),p=s.kind!=="account";g(p?yo(e,s.name):vn(e,await B(),i,a!==void 0),t),g(p?_n:xn,n),Yt(o)}catch(s){g(c`<p class="error" role="alert">${P(s)}</p>`,t)}}function Ai(e){let t=document.createElement("div");t.className="ended",g(c`<p>${r("ended.words")}</p>
      <button class="primary" @click=${()=>de(e)}>${r("signin.title")}</button>
      <button class="quiet icon" aria-label=${y("page.close")} @click=${()=>t.remove()}>${R("close")}</button>`,t),E("top").append(t),V(r("ended.words"))}function Si(e,t){e==="recover"?mo(t):io(t)}var yo=(e,t)=>c`<p>${r("visitor.guest")}</p>
    <p class="ways">
      <button class="primary" @click=${()=>Pe(Je(t)?"":t)}>${r("register.title")}</button>
      <button @click=${()=>de("")}>${r("signin.title")}</button>
    </p>
    ${wo(e,t,"nickname",null,async o=>(await st({name:o})).player)}`,vn=(e,t,o,n)=>c`<p>${r("visitor.account")}</p>
    <p class="ways">
      <button @click=${()=>et(t,o)}>${r("security.title")}</button>
      ${n?c`<a class="button" href="/moderation">${r("visitor.moderation")}</a>`:m}
    </p>
    ${wo(e,t.player.name,"username",[r("rename.hint"),...t.former_names.length===0?[]:[r("rename.former",{names:Vt(t.former_names)})]].join(" "),async s=>(await fe({name:s})).player)}`;function wo(e,t,o,n,s){return c`<form @submit=${a=>S(a,{name_taken:["name"],invalid_body:["name"]},async({name:p})=>{let l=await s(A(p));e.close(),V(r("rename.done",{name:l.name})),F(l)})}>
    ${H(r("rename.label"),t,o,n)}
    <p class="error" role="alert"></p>
    <button>${r("rename.submit")}</button>
  </form>`}var bo=e=>S(e,{},()=>me("session")),_n=c`<details class="leave">
  <summary>${r("leave.guest")}</summary>
  <form @submit=${bo}>
    <p>${r("leave.lead")}</p>
    <p class="error" role="alert"></p>
    <button class="danger">${r("leave.guest_submit")}</button>
  </form>
</details>`,xn=c`<form class="leave" @submit=${bo}>
  <p class="error" role="alert"></p>
  <button>${r("leave.title")}</button>
</form>`;export{ki as show,Ai as showEnded,Si as showLink,bn as showReport};
/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */
