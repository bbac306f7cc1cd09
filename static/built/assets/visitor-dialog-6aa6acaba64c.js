var Oo={steadyMs:()=>performance.now(),wallMs:()=>Date.now()};function Mo({steadyMs:e,wallMs:t}){let[o,n]=[-1/0,1/0],r=t()-e(),i=!1,a=e(),p=r;function l(){let m=t()-e()-p;p+=m,i?m>1e3&&(r=u()+m,[o,n]=[-1/0,1/0]):r=p}function u(){return o===-1/0?r:n===1/0?o:(o+n)/2}return{now(){return l(),e()+u()},learn(m,f){l();let w=e(),_=(w-a)*2e-4,[h,S]=[m-w,f===void 0?1/0:m-f];[o,n]=[Math.max(o-_,h),Math.min(n+_,S)],o>n&&([o,n]=[h,S]),[i,a]=[!0,w]}}}var rt=Mo(Oo);var g=class extends Error{constructor(t,o,{line:n,turn:r,flaw:i,games:a,until_ms:p,retryS:l}={}){super(`${t}: ${o}`),this.name="ApiError",this.code=t,this.detail=o,this.line=n??null,this.turn=r??null,this.flaw=i??null,this.games=a??[],this.untilMs=p??null,this.retryS=l??0}static[Symbol.hasInstance](t){return t instanceof Error&&t.name==="ApiError"}},No="application/x-ndjson";async function $(e,t,o){let n={method:e,signal:AbortSignal.timeout(1e4)};if(o!==void 0){let u=typeof o=="string";n.body=u?o:JSON.stringify(o);let m=u&&!o.trimStart().startsWith("{")?"text/plain":"application/json";n.headers={"content-type":m}}let r,i;try{r=await fetch(t,n),Co(r),i=await r.text()}catch(u){throw new g("offline",String(u))}if(r.ok&&i==="")return;if(r.ok&&r.headers.get("content-type")===No)return i;let a;try{a=JSON.parse(i)}catch(u){throw new g("unreadable",`${r.status} ${String(u)}`)}if(r.ok)return a;let p=a,l=Number(r.headers.get("retry-after"));throw new g(p.code??"unreadable",p.detail??String(r.status),{...p,retryS:l})}function Co({headers:e}){let t=Date.parse(e.get("date")??"");e.get("cache-control")?.includes("no-store")&&!Number.isNaN(t)&&rt.learn(t)}var it=()=>$("POST","/api/v1/session"),at=e=>$("PATCH","/api/v1/session",e),ct=e=>$("POST","/api/v1/account",e),W=()=>$("GET","/api/v1/account"),Q=e=>$("PATCH","/api/v1/account",e),lt=e=>$("POST","/api/v1/session/password",e),Me=e=>$("POST","/api/v1/passkeys/options",e),pt=e=>$("POST","/api/v1/session/passkey",e),be=()=>$("GET","/api/v1/passkeys"),ut=e=>$("POST","/api/v1/passkeys",e),mt=(e,t)=>$("PATCH",`/api/v1/passkeys/${encodeURIComponent(e)}`,t),dt=e=>$("DELETE",`/api/v1/passkeys/${encodeURIComponent(e)}`),ft=e=>$("POST","/api/v1/account/recover",e),ht=e=>$("POST","/api/v1/account/recover/link",e),$t=e=>$("POST","/api/v1/account/recover/mail",e),yt=e=>$("PUT","/api/v1/account/mail",e),bt=e=>$("POST",`/unsubscribe?link=${encodeURIComponent(e)}`),Ne=e=>$("PATCH","/api/v1/account/mail",{recovers:e}),wt=()=>$("DELETE","/api/v1/account/mail"),gt=e=>$("POST","/api/v1/account/mail/confirm",e),we=()=>$("POST","/api/v1/account/code"),Ce=e=>$("POST","/api/v1/session/prove",e),vt=()=>$("GET","/api/v1/session/export"),_t=()=>$("GET","/api/v1/sessions"),xt=e=>$("DELETE",`/api/v1/sessions/${encodeURIComponent(e)}`);var ge=()=>$("GET","/api/v1/blocks");var kt=e=>$("DELETE",`/api/v1/blocks/${encodeURIComponent(e)}`),St=()=>$("GET","/api/v1/vacation"),At=e=>$("PUT","/api/v1/vacation",e),Et=e=>$("PATCH","/api/v1/vacation",e),Tt=()=>$("DELETE","/api/v1/vacation"),Pt=e=>$("POST","/api/v1/reports",e),It=()=>$("GET","/api/v1/account/acts");var Nt=location.protocol==="https:",Ct=`${Nt?"__Host-":""}nothing-kept-${location.port}`,Rt=3600;function Re(e){document.cookie=`${Ct}=1; path=/; max-age=${e}; samesite=lax${Nt?"; secure":""}`}var Ot=()=>document.cookie.split("; ").includes(`${Ct}=1`);function Ro(){try{if(!navigator.cookieEnabled||Ot())return!1;Re(Rt);let e=Ot();return Re(0),e}catch{return!1}}var ve=null,Lt=()=>ve===!1,Ht=()=>new g("nothing_kept","the browser keeps nothing for this site"),Mt=!1,Lo=!1;async function _e(){if(ve??=Ro(),!ve)throw Ht();Mt&&!Lo&&await Uo();let e=await it();return Mt=!0,D(e.player),e}var Ho=!1;addEventListener("leaving",e=>{Ho=e.detail});async function se(e){dispatchEvent(new CustomEvent("leaving",{detail:!0}));try{return await e()}catch(t){throw dispatchEvent(new CustomEvent("leaving",{detail:!1})),t}}function D(e){dispatchEvent(new CustomEvent("visitor",{detail:e}))}async function Uo(){try{await ge()}catch(e){if(!(e instanceof g&&e.code==="no_session"))return;throw ve=!1,Re(Rt),Ht()}}var Ge=globalThis,Ut=e=>e,xe=Ge.trustedTypes,qt=xe?xe.createPolicy("lit-html",{createHTML:e=>e}):void 0,jt="$lit$",G=`lit$${Math.random().toFixed(9).slice(2)}$`,Vt="?"+G,qo=`<${Vt}>`,V=document,ie=()=>V.createComment(""),ae=e=>e===null||typeof e!="object"&&typeof e!="function",We=Array.isArray,Fo=e=>We(e)||typeof e?.[Symbol.iterator]=="function",Le=`[ 	
\f\r]`,re=/<(?:(!--|\/[^a-zA-Z])|(\/?[a-zA-Z][^>\s]*)|(\/?$))/g,Ft=/-->/g,Dt=/>/g,B=RegExp(`>|${Le}(?:([^\\s"'>=/]+)(${Le}*=${Le}*(?:[^ 	
\f\r"'\`<>=]|("|')|))|$)`,"g"),Gt=/'/g,Wt=/"/g,Kt=/^(?:script|style|textarea|title)$/i,Be=e=>(t,...o)=>({_$litType$:e,strings:t,values:o}),c=Be(1),P=Be(2),jn=Be(3),K=Symbol.for("lit-noChange"),d=Symbol.for("lit-nothing"),Bt=new WeakMap,j=V.createTreeWalker(V,129);function zt(e,t){if(!We(e)||!e.hasOwnProperty("raw"))throw Error("invalid template strings array");return qt!==void 0?qt.createHTML(t):t}var Do=(e,t)=>{let o=e.length-1,n=[],r,i=t===2?"<svg>":t===3?"<math>":"",a=re;for(let p=0;p<o;p++){let l=e[p],u,m,f=-1,w=0;for(;w<l.length&&(a.lastIndex=w,m=a.exec(l),m!==null);)w=a.lastIndex,a===re?m[1]==="!--"?a=Ft:m[1]!==void 0?a=Dt:m[2]!==void 0?(Kt.test(m[2])&&(r=RegExp("</"+m[2],"g")),a=B):m[3]!==void 0&&(a=B):a===B?m[0]===">"?(a=r??re,f=-1):m[1]===void 0?f=-2:(f=a.lastIndex-m[2].length,u=m[1],a=m[3]===void 0?B:m[3]==='"'?Wt:Gt):a===Wt||a===Gt?a=B:a===Ft||a===Dt?a=re:(a=B,r=void 0);let _=a===B&&e[p+1].startsWith("/>")?" ":"";i+=a===re?l+qo:f>=0?(n.push(u),l.slice(0,f)+jt+l.slice(f)+G+_):l+G+(f===-2?p:_)}return[zt(e,i+(e[o]||"<?>")+(t===2?"</svg>":t===3?"</math>":"")),n]},ce=class e{constructor({strings:t,_$litType$:o},n){let r;this.parts=[];let i=0,a=0,p=t.length-1,l=this.parts,[u,m]=Do(t,o);if(this.el=e.createElement(u,n),j.currentNode=this.el.content,o===2||o===3){let f=this.el.content.firstChild;f.replaceWith(...f.childNodes)}for(;(r=j.nextNode())!==null&&l.length<p;){if(r.nodeType===1){if(r.hasAttributes())for(let f of r.getAttributeNames())if(f.endsWith(jt)){let w=m[a++],_=r.getAttribute(f).split(G),h=/([.?@])?(.*)/.exec(w);l.push({type:1,index:i,name:h[2],strings:_,ctor:h[1]==="."?Ue:h[1]==="?"?qe:h[1]==="@"?Fe:ee}),r.removeAttribute(f)}else f.startsWith(G)&&(l.push({type:6,index:i}),r.removeAttribute(f));if(Kt.test(r.tagName)){let f=r.textContent.split(G),w=f.length-1;if(w>0){r.textContent=xe?xe.emptyScript:"";for(let _=0;_<w;_++)r.append(f[_],ie()),j.nextNode(),l.push({type:2,index:++i});r.append(f[w],ie())}}}else if(r.nodeType===8)if(r.data===Vt)l.push({type:2,index:i});else{let f=-1;for(;(f=r.data.indexOf(G,f+1))!==-1;)l.push({type:7,index:i}),f+=G.length-1}i++}}static createElement(t,o){let n=V.createElement("template");return n.innerHTML=t,n}};function X(e,t,o=e,n){if(t===K)return t;let r=n!==void 0?o._$Co?.[n]:o._$Cl,i=ae(t)?void 0:t._$litDirective$;return r?.constructor!==i&&(r?._$AO?.(!1),i===void 0?r=void 0:(r=new i(e),r._$AT(e,o,n)),n!==void 0?(o._$Co??=[])[n]=r:o._$Cl=r),r!==void 0&&(t=X(e,r._$AS(e,t.values),r,n)),t}var He=class{constructor(t,o){this._$AV=[],this._$AN=void 0,this._$AD=t,this._$AM=o}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}u(t){let{el:{content:o},parts:n}=this._$AD,r=(t?.creationScope??V).importNode(o,!0);j.currentNode=r;let i=j.nextNode(),a=0,p=0,l=n[0];for(;l!==void 0;){if(a===l.index){let u;l.type===2?u=new le(i,i.nextSibling,this,t):l.type===1?u=new l.ctor(i,l.name,l.strings,this,t):l.type===6&&(u=new De(i,this,t)),this._$AV.push(u),l=n[++p]}a!==l?.index&&(i=j.nextNode(),a++)}return j.currentNode=V,r}p(t){let o=0;for(let n of this._$AV)n!==void 0&&(n.strings!==void 0?(n._$AI(t,n,o),o+=n.strings.length-2):n._$AI(t[o])),o++}},le=class e{get _$AU(){return this._$AM?._$AU??this._$Cv}constructor(t,o,n,r){this.type=2,this._$AH=d,this._$AN=void 0,this._$AA=t,this._$AB=o,this._$AM=n,this.options=r,this._$Cv=r?.isConnected??!0}get parentNode(){let t=this._$AA.parentNode,o=this._$AM;return o!==void 0&&t?.nodeType===11&&(t=o.parentNode),t}get startNode(){return this._$AA}get endNode(){return this._$AB}_$AI(t,o=this){t=X(this,t,o),ae(t)?t===d||t==null||t===""?(this._$AH!==d&&this._$AR(),this._$AH=d):t!==this._$AH&&t!==K&&this._(t):t._$litType$!==void 0?this.$(t):t.nodeType!==void 0?this.T(t):Fo(t)?this.k(t):this._(t)}O(t){return this._$AA.parentNode.insertBefore(t,this._$AB)}T(t){this._$AH!==t&&(this._$AR(),this._$AH=this.O(t))}_(t){this._$AH!==d&&ae(this._$AH)?this._$AA.nextSibling.data=t:this.T(V.createTextNode(t)),this._$AH=t}$(t){let{values:o,_$litType$:n}=t,r=typeof n=="number"?this._$AC(t):(n.el===void 0&&(n.el=ce.createElement(zt(n.h,n.h[0]),this.options)),n);if(this._$AH?._$AD===r)this._$AH.p(o);else{let i=new He(r,this),a=i.u(this.options);i.p(o),this.T(a),this._$AH=i}}_$AC(t){let o=Bt.get(t.strings);return o===void 0&&Bt.set(t.strings,o=new ce(t)),o}k(t){We(this._$AH)||(this._$AH=[],this._$AR());let o=this._$AH,n,r=0;for(let i of t)r===o.length?o.push(n=new e(this.O(ie()),this.O(ie()),this,this.options)):n=o[r],n._$AI(i),r++;r<o.length&&(this._$AR(n&&n._$AB.nextSibling,r),o.length=r)}_$AR(t=this._$AA.nextSibling,o){for(this._$AP?.(!1,!0,o);t!==this._$AB;){let n=Ut(t).nextSibling;Ut(t).remove(),t=n}}setConnected(t){this._$AM===void 0&&(this._$Cv=t,this._$AP?.(t))}},ee=class{get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}constructor(t,o,n,r,i){this.type=1,this._$AH=d,this._$AN=void 0,this.element=t,this.name=o,this._$AM=r,this.options=i,n.length>2||n[0]!==""||n[1]!==""?(this._$AH=Array(n.length-1).fill(new String),this.strings=n):this._$AH=d}_$AI(t,o=this,n,r){let i=this.strings,a=!1;if(i===void 0)t=X(this,t,o,0),a=!ae(t)||t!==this._$AH&&t!==K,a&&(this._$AH=t);else{let p=t,l,u;for(t=i[0],l=0;l<i.length-1;l++)u=X(this,p[n+l],o,l),u===K&&(u=this._$AH[l]),a||=!ae(u)||u!==this._$AH[l],u===d?t=d:t!==d&&(t+=(u??"")+i[l+1]),this._$AH[l]=u}a&&!r&&this.j(t)}j(t){t===d?this.element.removeAttribute(this.name):this.element.setAttribute(this.name,t??"")}},Ue=class extends ee{constructor(){super(...arguments),this.type=3}j(t){this.element[this.name]=t===d?void 0:t}},qe=class extends ee{constructor(){super(...arguments),this.type=4}j(t){this.element.toggleAttribute(this.name,!!t&&t!==d)}},Fe=class extends ee{constructor(t,o,n,r,i){super(t,o,n,r,i),this.type=5}_$AI(t,o=this){if((t=X(this,t,o,0)??d)===K)return;let n=this._$AH,r=t===d&&n!==d||t.capture!==n.capture||t.once!==n.once||t.passive!==n.passive,i=t!==d&&(n===d||r);r&&this.element.removeEventListener(this.name,this,n),i&&this.element.addEventListener(this.name,this,t),this._$AH=t}handleEvent(t){typeof this._$AH=="function"?this._$AH.call(this.options?.host??this.element,t):this._$AH.handleEvent(t)}},De=class{constructor(t,o,n){this.element=t,this.type=6,this._$AN=void 0,this._$AM=o,this.options=n}get _$AU(){return this._$AM._$AU}_$AI(t){X(this,t)}};var Go=Ge.litHtmlPolyfillSupport;Go?.(ce,le),(Ge.litHtmlVersions??=[]).push("3.3.3");var b=(e,t,o)=>{let n=o?.renderBefore??t,r=n._$litPart$;if(r===void 0){let i=o?.renderBefore??null;n._$litPart$=r=new le(t.insertBefore(ie(),i),i,void 0,o??{})}return r._$AI(e),r};var je=Object.getPrototypeOf(b(d,document.createDocumentFragment())),Jt=je._$AC(c`<p>${d}</p>`).constructor,{_$AI:Wo}=je;je._$AI=function(e,...t){let o=this._$AH;(typeof o=="string"||typeof o=="number")&&e!==o&&e!==K&&!(this.startNode.nextSibling instanceof Text)&&(this._$AR(),this._$AH=d),Wo.call(this,e,...t)};var{createElement:Bo}=Jt;Jt.createElement=(e,t)=>{let o=Bo(e,t),n=document.createTreeWalker(o.content,NodeFilter.SHOW_COMMENT);for(;n.nextNode();){let{currentNode:r}=n;r.nextSibling instanceof Text&&(r.after(document.createComment("")),n.nextNode())}return o};async function Yt(e,t){for(let o=0,n=500;;o++,n=Math.min(2*n,15e3))try{let r=await t(o);return dispatchEvent(new CustomEvent("partloaded",{detail:e})),r}catch{dispatchEvent(new CustomEvent("partmissing",{detail:e})),await new Promise(r=>setTimeout(r,n))}}var jo=/[\u061c\u200f\u202a-\u202e\u2066-\u2069\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u,Vo=e=>jo.test(e)?`⁨${e}⁩`:e;function Ko(e,t){let o=new Intl.PluralRules(e),n=new Intl.NumberFormat(e);return(r,i={})=>{let a=t[r];return a===void 0?r:(typeof a=="string"?a:a[o.select(Number(i.n))]??a.other).replace(/\{(\w+)\}/g,(l,u)=>{let m=i[u]??"";return typeof m=="number"?n.format(m):Vo(m)})}}function Ve(){return document.documentElement.lang==="fr"?"fr":"en"}function Zt(e,t){let o=t.flatMap(zo),n=o.find(i=>i.language===e);if(n?.region)return n.toString();let r=o.find(i=>i.region)?.region;return r===void 0?e:new Intl.Locale(e,{region:r}).toString()}function zo(e){try{return[new Intl.Locale(e)]}catch{return[]}}function ke(e){let{href:t}=document.getElementById("words");return Yt("words",async()=>{let o=await fetch(e??t);if(!o.ok)throw new Error(`${o.status}`);return Ko(Ve(),await o.json())})}var Ke=new Map;function O(e){try{return Ke.get(e)??localStorage.getItem(e)}catch{return null}}function te(e,t){Ke.delete(e);try{if(localStorage.setItem(e,t),localStorage.getItem(e)===t)return}catch{}Ke.set(e,t)}var Jo=[{game:"fibonacci",rulesets:["fibonacci","fibonacci-mixed","fibonacci-cards"],first:"black",second:"white"},{game:"fenix",rulesets:["fenix"],first:"red",second:"blue"},{game:"focus",rulesets:["focus","focus-classic"],first:"white",second:"black"},{game:"crossfire",rulesets:["crossfire"],first:"white",second:"black"}],ss=Jo.flatMap(({rulesets:e})=>e),ze=Ve(),y=await ke(),Qt=E("favicon"),{href:rs}=Qt,is=Qt.dataset.turn??"";var Yo=300,Zo={polite:{timer:0,last:"",waiting:[]},assertive:{timer:0,last:"",waiting:[]}};function L(e,t="polite"){let o=Zo[t];o.waiting.includes(e)||o.waiting.push(e),clearTimeout(o.timer),o.timer=window.setTimeout(()=>{let n=o.waiting.join(" ");o.waiting=[],n===o.last&&(n+=" "),o.last=n,E(t).textContent=n},Yo)}function T(e){if(!(e instanceof g))throw e;let t=e.code==="no_session"&&Lt()?"nothing_kept":e.code;if(t==="too_fast"&&e.retryS>1)return y("refusal.wait",{when:Xo(e.retryS)});let o=`refusal.${t}`,n=y(o,e.untilMs===null?{}:{when:J(e.untilMs)});return n===o?y("refusal.other",{code:t}):n}var Qo=new Intl.RelativeTimeFormat(ze);function Xo(e){let[t,o]=e<100?[1,"second"]:e<6e3?[60,"minute"]:[3600,"hour"];return Qo.format(Math.ceil(e/t),o)}var Xt=e=>y(`ruleset.${e}`);var z=({name:e,kind:t})=>t==="deleted"?y("page.deleted"):e,pe=e=>new Intl.DateTimeFormat(Zt(ze,navigator.languages),e),en=pe({dateStyle:"medium",timeStyle:"short"}),J=e=>en.format(e),eo=e=>new Intl.ListFormat(ze,{type:"conjunction"}).format(e),to=()=>matchMedia("(pointer: coarse)").matches?"touch":"keys";function E(e){let t=document.getElementById(e);if(t===null)throw new Error(`the page has no element #${e}`);return t}var tn={close:P`<path d="m6 6 12 12M18 6 6 18"/>`,undo:P`<path d="M8.5 5 4.5 9l4 4M5 9h9a5.5 5.5 0 0 1 0 11h-4"/>`,back:P`<path d="M11.500 6.500 6 12l5.500 5.500M18 6.500 12.500 12l5.500 5.500"/>`,restart:P`<path d="M5 12a7 7 0 1 1 2.2 5.1M5 17.5V13h4.5"/>`,check:P`<path d="m5 12.5 4.5 4.5L19 7.5"/>`,flip:P`<path d="M8 4v15m0 0-3.5-3.5M8 19l3.5-3.5M16 20V5m0 0-3.5 3.5M16 5l3.5 3.5"/>`,eye:P`<path d="M2.5 12c4.5-7.3 14.5-7.3 19 0-4.5 7.3-14.5 7.3-19 0Z"/><circle cx="12" cy="12" r="2.8"/>`,bulb:P`<path d="M9 18h6M10 21h4M12 3a6 6 0 0 0-3.600 10.800c.600.500.600 1.200.600 2.200h6c0-1 0-1.700.600-2.200A6 6 0 0 0 12 3Z"/>`,copy:P`<rect x="8.5" y="8.5" width="11" height="11" rx="2"/><path d="M15.5 5.5a1 1 0 0 0-1-1h-9a1 1 0 0 0-1 1v9a1 1 0 0 0 1 1"/>`,share:P`<path d="M12 15.5v-11m0 0-4 4m4-4 4 4M5 13.5v6h14v-6"/>`,stack:P`<ellipse cx="12" cy="7" rx="7.5" ry="3"/><path d="M4.5 7v5c0 1.66 3.36 3 7.5 3s7.5-1.34 7.5-3V7M4.5 12v5c0 1.66 3.36 3 7.5 3s7.5-1.34 7.5-3v-5"/>`,download:P`<path d="M12 4v11m0 0-4-4m4 4 4-4M5 19.5h14"/>`},on=e=>c`<svg class="ic" viewBox="0 0 24 24" aria-hidden="true" focusable="false">${e}</svg>`,H=e=>on(tn[e]);var Je=null;function Se(e,t,{isHeld:o}={isHeld:!1}){if(Je?.open)return null;Je?.remove();let n=document.createElement("dialog");return n.setAttribute("aria-labelledby","dialog-title"),b(c`<header class="dialog-head">
        <h2 id="dialog-title">${e}</h2>
        ${o?d:c`<button class="quiet icon" aria-label=${y("page.close")} @click=${()=>n.close()}>${H("close")}</button>`}
      </header>
      ${t}`,n),n.addEventListener("click",r=>r.target===n&&!o&&n.close()),n.addEventListener("close",()=>n.remove()),o&&(n.setAttribute("closedby","none"),n.addEventListener("cancel",r=>r.preventDefault())),Je=n,document.body.append(n),n.showModal(),n}var nn=/[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;var A=e=>e.replace(nn,"").replace(/\s+/g," ").trim();var Ye=e=>/^(Guest|Invité) \d+$/.test(e),sn=8;function Ze(e){let t=z(e),o=rn(e);if(o===d)return c`<bdi>${t}</bdi>`;let n=t.length-t.lastIndexOf(" ")<=sn;return c`<bdi>${t}</bdi>${n?" ":" "}${o}`}function rn({name:e,kind:t}){return t==="guest"&&!Ye(e)?c`<span class="guest-mark">${y("page.guest_mark")}</span>`:d}function oo(e,t,o){let n=Object.keys(t).map(i=>[i,`{${i}}`]);return y(e,{...o,...Object.fromEntries(n)}).split(/\{(\w+)\}/).map((i,a)=>a%2===0?i:Ze(t[i]))}var an="turns",cn=()=>O("account")??"";function no(){try{let{askedMs:e,playedMs:t=0,of:o,games:n,unseen:r=0}=JSON.parse(O(an)??""),i=a=>a>Date.now()?0:a;if(o===cn())return{askedMs:i(e),playedMs:i(t),games:n,unseen:r}}catch{}return{askedMs:0,playedMs:0,games:[],unseen:0}}var s=await ke(E("top").dataset.visitorWords);async function so(e){let t=null,o=null,n=!1;await r(async()=>{t=(await ge()).players});async function r(p){o=null;try{await p()}catch(l){o=T(l)}a()}let i=p=>r(async()=>{await kt(p.id),n=!0,t=(t??[]).filter(l=>l.id!==p.id),L(s("blocks.unblocked",{name:z(p)})),e.focus()});function a(){let p=(t??[]).map(u=>c`<li><span>${Ze(u)}</span>
        <button aria-label=${s("blocks.unblock_named",{name:z(u)})} @click=${()=>i(u)}>${s("blocks.unblock")}</button></li>`),l=t?.length===0&&n;b(p.length===0&&o===null&&!l?d:c`<h3 id="blocks-title">${s("blocks.title")}</h3>
            <p>${l?s("blocks.none"):s("blocks.lead")}</p>
            ${p.length===0?d:c`<ul>${p}</ul>`}
            <p class="error" role="alert">${o}</p>`,e)}}var ro=80,ln=e=>`${e[0].toLocaleUpperCase()}${e.slice(1)}.`;function pn(e,t){let o=e.split(`
`)[t-1]?.trim()??"";return o===""?"":y("record.found",{text:o.length>ro?`${o.slice(0,ro)}…`:o})}function un(e){switch(e.code){case"expected":{let t=y(`flaw.what_${e.what}`);return e.field===null?y("flaw.expected",{what:t}):y("flaw.expected_in",{field:e.field,what:t})}case"position":return y("flaw.position",{n:e.at+1,rule:e.rule});case"illegal":case"incomplete":return y(`flaw.${e.code}`,{n:e.index+1,rule:e.rule});case"game_over":return y("flaw.game_over",{n:e.index+1});case"wrong_ending":return y("flaw.wrong_ending",{result:e.winner??"draw",reason:e.reason});case"newer_version":return y("flaw.newer_version",{version:String(e.version)});case"wrong_number":return y("flaw.wrong_number",{expected:String(e.expected)});default:return y(`flaw.${e.code}`,e)}}function io(e,t=""){let o=T(e);if(!(e instanceof g)||e.flaw===null)return c`${o}`;let{line:n,turn:r,flaw:i}=e,a=[...n===null?[]:[y("record.line",{n})],...r===null?[]:[y("record.turn",{n:r})]].join(", "),p=n===null?"":pn(t,n);return c`${o} ${ln(`${a}${a===""?"":y("page.colon")}${un(i)}`)} ${p}`}async function Ae(e,t,o){let n=e.querySelector('button:not([type="button"])'),r=e.querySelector('.error[role="alert"]');if(!n.hasAttribute("aria-disabled")){n.setAttribute("aria-disabled","true"),b(d,r);try{await t()}catch(i){b(io(i,o),r),r.scrollIntoView({block:"nearest"})}n.removeAttribute("aria-disabled")}}var ue=(e,t,o,n)=>c`<div class="field">
    <label for=${`${e}-field`}>${t}</label>
    ${n(`${e}-field`,`${e}-hint ${e}-error`)}
    <small id=${`${e}-hint`}>${o}</small>
    <p class="error" id=${`${e}-error`}></p>
  </div>`,U=(e,t,o,n=null)=>ue("name",e,n,(r,i)=>c`<input id=${r} name="name" required maxlength="24" autocomplete=${o} autocapitalize="off"
      spellcheck="false" value=${t} aria-describedby=${i} />`),ao=(e,t)=>ue("label",e,null,(o,n)=>c`<input id=${o} name="label" required maxlength="40" autocomplete="off" value=${t}
      aria-describedby=${n} />`),co=e=>ue("code",e,null,(t,o)=>c`<input id=${t} name="code" required maxlength="40" autocomplete="off" autocapitalize="characters"
      spellcheck="false" aria-describedby=${o} />`),Qe=e=>ue("address",e,null,(t,o)=>c`<input id=${t} name="address" type="email" required maxlength="254" autocomplete="email"
      aria-describedby=${o} />`),C=(e,t,o,n=null)=>{let r=o==="new-password";return ue(e,t,r?s("password.hint"):n,(i,a)=>c`<span class="secret">
      <input id=${i} name=${e} type="password" required minlength=${r?8:d} maxlength="128"
        autocomplete=${o} aria-describedby=${a} />
      <button type="button" class="quiet icon" aria-pressed="false" title=${s("password.show")} aria-label=${s("password.show")}
        @click=${mn}>${H("eye")}</button>
    </span>`)};function mn(e){let t=e.currentTarget,o=t.previousElementSibling,n=o.type==="text";o.type=n?"password":"text",t.setAttribute("aria-pressed",String(!n))}var me=({submitter:e})=>e instanceof HTMLButtonElement&&e.name==="passkey";async function x(e,t,o){e.preventDefault();let n=e.target;await Ae(n,async()=>{for(let r of n.querySelectorAll("[aria-invalid]"))r.removeAttribute("aria-invalid"),E(r.id.replace(/field$/,"error")).textContent="";try{await o(Object.fromEntries(new FormData(n)))}catch(r){let i=r instanceof g?t[r.code]:void 0;if(i===void 0)throw r;let[a,p=T(r)]=i,l=E(`${a}-field`);E(`${a}-error`).textContent=p,l.setAttribute("aria-invalid","true"),l.focus()}})}function k(e,t,o){return document.querySelector("dialog[open]")?.close(),Se(e,t,o)}function Y(e,t){k(e,c`<p class="done" tabindex="-1">${t}</p>`).querySelector(".done").focus()}var{hostname:Xe}=location,dn=/^[\d.]+$|^\[/.test(Xe),q=!dn&&"parseCreationOptionsFromJSON"in(globalThis.PublicKeyCredential??{}),oe=()=>{if(!["127.0.0.1","[::1]"].includes(Xe))return d;let e=new URL(location.href);return e.hostname="localhost",c`<p><small>${s("passkey.elsewhere")} <a href=${e.href}>${e.host}</a></small></p>`};async function Ee(e){let t=await Me(e);return po("passkey_not_made",t.rp.id,()=>navigator.credentials.create({publicKey:PublicKeyCredential.parseCreationOptionsFromJSON(t)}))}async function de(e,t={}){let o=await Me(e);return po("passkey_not_used",o.rpId,()=>navigator.credentials.get({publicKey:PublicKeyCredential.parseRequestOptionsFromJSON(o),...t}))}async function lo(e){if(!q||!await PublicKeyCredential.isConditionalMediationAvailable?.())return null;try{return await de({purpose:"sign_in"},{mediation:"conditional",signal:e})}catch(t){if(t instanceof g)return null;throw t}}async function Te(e){try{return await e()}catch(t){throw t instanceof g&&t.code==="wrong_credentials"?new g("passkey_unknown",t.detail):t}}var fn={InvalidStateError:"passkey_there",ConstraintError:"passkey_unable",NotSupportedError:"passkey_unable",SecurityError:"passkey_elsewhere"};async function po(e,t,o){if(t!==Xe)throw new g("passkey_elsewhere",String(t));try{return(await o()).toJSON()}catch(n){throw n instanceof DOMException?new g(fn[n.name]??e,n.message):n}}var M=e=>c`<input name="username" autocomplete="username" value=${e} hidden />
  <div class="proof"></div>`,N=(e,t,o)=>x(e,{...t,wrong_credentials:["proof",s("password.wrong")]},async n=>{n.proof!==void 0&&await Ce({password:n.proof});try{await o(n)}catch(r){if(!(r instanceof g&&r.code==="prove_again"))throw r;await $n(e.target);return}et()});async function hn(e){let t=!1;await Ae(e,async()=>{let o=await de({purpose:"prove"});await Te(()=>Ce({passkey:o})),t=!0}),t&&(et(),e.requestSubmit())}function et(){for(let e of document.querySelectorAll(".proof"))b(d,e)}async function $n(e){let[{has_password:t},{passkeys:o}]=await Promise.all([W(),be()]);et();let n=e.querySelector(".proof");b(c`${t?C("proof",s("password.current"),"current-password",s("password.prove")):c`<p>${s("password.prove")}</p>`}
      ${q&&o.length>0?c`<button type="button" @click=${()=>hn(e)}>${s("passkey.prove")}</button>`:d}`,n),n.querySelector("input, button")?.focus()}var yn=["daily","soon","off"],bn=Array.from({length:24},(e,t)=>t),fe=()=>Intl.DateTimeFormat().resolvedOptions().timeZone,wn=e=>`${String(e).padStart(2,"0")}:00`,tt=(e,t)=>c`<div class="field">
    <label for=${`${e}-field`}>${s(`notices.${e}`)}</label>
    <select id=${`${e}-field`} name=${e}>
      ${bn.map(o=>c`<option value=${o} ?selected=${o===t}>${wn(o)}</option>`)}
    </select>
  </div>`;function uo({notices:e},t,o,n){return c`<form aria-labelledby="turn-mails-title" @submit=${i=>x(i,{},async({turn_mails:a=e.turn_mails,hour:p=e.hour,...l})=>{let[u,m,f]=[p,l.quiet_from,l.quiet_to].map(Number);await Q({notices:{turn_mails:a,hour:u,quiet_from:m,quiet_to:f,zone:fe()}}),n(s("notices.saved"))})}>
    <h3 id="turn-mails-title">${s(t?"notices.title":"notices.quiet_title")}</h3>
    <p>${s(t?"notices.lead":"notices.quiet_lead")}</p>
    ${o}
    ${t?c`<div class="field">
              <label for="turn_mails-field">${s("notices.when")}</label>
              <select id="turn_mails-field" name="turn_mails">
                ${yn.map(i=>c`<option value=${i} ?selected=${i===e.turn_mails}>${s(`notices.${i}`)}</option>`)}
              </select>
            </div>
            ${tt("hour",e.hour)}`:d}
    ${tt("quiet_from",e.quiet_from)}
    ${tt("quiet_to",e.quiet_to)}
    <p><small>${s("notices.zone",{zone:e.zone})}
      ${e.zone===fe()?d:s("notices.other_zone",{zone:fe()})}</small></p>
    <p class="error" role="alert"></p>
    <button>${s("notices.submit")}</button>
  </form>`}function mo(e){k(s("notices.stop_title"),c`<form @submit=${t}>
      <p>${s("notices.stop_lead")}</p>
      <p class="error" role="alert"></p>
      <button class="primary">${s("notices.stop")}</button>
    </form>`);function t(o){return x(o,{},async()=>{await bt(e),Y(s("notices.stop_title"),s("notices.stopped"))})}}var ho=()=>({invalid_body:["address",s("mail.wrong")]});function $o({player:{name:e},mail:t},o,n){return c`<form aria-labelledby="mail-title" @submit=${i=>N(i,ho(),async a=>{let p=A(a.address);await yt({address:p,zone:fe()}),i.target.reset(),n(s("mail.sent",{address:p}))})}>
      <h3 id="mail-title">${s("mail.title")}</h3>
      <p>${t===void 0?s("mail.lead"):s("mail.current",{address:t.address})}</p>
      ${t?.refused===!0?c`<p class="error">${s("mail.refused")}</p>`:d}
      ${o}
      ${Qe(s(t===void 0?"mail.label":"mail.new"))}
      ${M(e)}
      <p class="error" role="alert"></p>
      <button>${s("mail.submit")}</button>
    </form>
    ${t===void 0?d:[fo(e,...gn(t.recovers),n),fo(e,wt,"mail.remove","mail.removed",n)]}`}var gn=e=>e?[()=>Ne(!1),"mail.forbid","mail.forbidden"]:[()=>Ne(!0),"mail.allow","mail.allowed"];function fo(e,t,o,n,r){let i=a=>N(a,{},async()=>{await t(),r(s(n))});return c`<form aria-label=${s(o)} @submit=${i}>
    ${M(e)}
    <p class="error" role="alert"></p>
    <button>${s(o)}</button>
  </form>`}function yo(e){k(s("mail.confirm_title"),c`<form @submit=${t}>
      <p>${s("mail.confirm_lead")}</p>
      <p class="error" role="alert"></p>
      <button class="primary">${s("mail.confirm_submit")}</button>
    </form>`);function t(o){return x(o,{},async()=>{await gt({link:e}),Y(s("mail.confirm_title"),s("mail.confirmed"))})}}function bo(e){k(s("recovery.by_mail"),c`<form @submit=${t}>
      <p>${s("recovery.mail_lead")}</p>
      ${U(s("signin.name"),e,"username")}
      ${Qe(s("mail.label"))}
      <p class="error" role="alert"></p>
      <button class="primary">${s("recovery.mail_submit")}</button>
    </form>`);function t(o){return x(o,ho(),async({name:n,address:r})=>{await $t({name:A(n),mail:A(r)}),Y(s("recovery.by_mail"),s("recovery.mail_sent"))})}}function Pe(e,t){let o=document.createElement("a");o.href=URL.createObjectURL(new Blob([t],{type:"text/plain"})),o.download=e,o.click(),setTimeout(()=>URL.revokeObjectURL(o.href))}function ne({player:e,recovery_code:t=""},o,n){let r=s("recovery.file",{name:e.name,host:location.host}),i=k(s("recovery.show_title"),c`<form @submit=${l}>
      <p>${o}</p>
      <p class="recovery-code" id="recovery-code" tabindex="-1" translate="no">${t.split("-").map(u=>c`<span>${u}</span> `)}</p>
      <p><small>${r}</small></p>
      <p class="ways">
        <button type="button" @click=${a}>${H("copy")} ${s("recovery.copy")}</button>
        <button type="button" @click=${p}>${H("download")} ${s("recovery.download")}</button>
        <button type="button" @click=${()=>print()}>${s("recovery.print")}</button>
      </p>
      <p id="recovery-status" role="status"></p>
      <button class="primary">${s("recovery.kept")}</button>
    </form>`,{isHeld:!0});E("recovery-code").focus();async function a(){try{await navigator.clipboard.writeText(t),E("recovery-status").textContent=s("recovery.copied")}catch{getSelection()?.selectAllChildren(E("recovery-code")),E("recovery-status").textContent=s(`recovery.by_${to()}`)}}function p(){Pe("towers-recovery-code.txt",`${r}

${t}
`)}function l(u){u.preventDefault(),i.close(),n()}}function Ie(e){k(s("register.title"),c`<form @submit=${_n}>
      <p>${s("register.lead")}</p>
      ${U(s("register.name"),e,"username",s("register.name_hint"))}
      ${C("password",s("password.label"),"new-password")}
      <p class="error" role="alert"></p>
      <button class="primary">${s("register.submit")}</button>
      ${q?vn():oe()}
    </form>`).querySelector("input")?.focus()}var vn=()=>c`<p><small id="passkey-lead">${s("passkey.instead")}</small></p>
    <button name="passkey" formnovalidate aria-describedby="passkey-lead">${s("passkey.register")}</button>`,_n=e=>x(e,{name_taken:["name"],invalid_body:["name"],weak_password:["password"]},async t=>{let o=A(t.name),n=me(e)?{passkey:await Ee({purpose:"register",name:o})}:{password:t.password},r=await ct({name:o,...n});D(r.player),ne(r,s("recovery.why"),()=>L(s("register.done",{name:r.player.name})))});function wo(e){switch(e.kind){case"muted":return s("acts.muted",{when:J(e.until_ms)});case"name_hidden":return s("acts.name_hidden",{name:e.name});case"role_given":return s(`acts.role_${e.role}`);default:return s(`acts.${e.kind}`)}}var go=pe({dateStyle:"medium",timeZone:"UTC"});async function vo(e,t){let o=[],n=null,r="",i=null;f();try{({passkeys:o}=await be())}catch(h){i=T(h)}f();function a(h,S){[o,r,n]=[h,S,null],f(),e.focus()}function p(h){return N(h,{},async()=>{let S=await Ee({purpose:"add"});a((await ut({passkey:S})).passkeys,s("passkey.added"))})}let l=h=>S=>x(S,{invalid_body:["label",s("passkey.label_wrong")]},async R=>{let{passkeys:F}=await mt(h,{label:A(R.label)});a(F,s("passkey.renamed"))}),u=h=>S=>N(S,{},async()=>{await dt(h),a(o.filter(R=>R.id!==h),s("passkey.removed"))});function m(h){n=n===h?null:h,f()}function f(){let h=c`<form @submit=${p}>
        ${M(t)}
        <p class="error" role="alert"></p>
        <button>${s("passkey.add")}</button>
      </form>`;b(c`<h3 id="passkeys-title">${s("passkey.title")}</h3>
        <p>${s("passkey.lead")}</p>
        <p role="status">${r}</p>
        ${o.length===0?d:c`<ul>${o.map(w)}</ul>`}
        <p class="error" role="alert">${i}</p>
        ${q?h:oe()}`,e)}function w({id:h,label:S,created_ms:R,used_ms:F}){let Z=S??s("passkey.unnamed"),Oe={made:go.format(R),used:go.format(F)};return c`<li>
      <span><bdi>${Z}</bdi> <small>${s("passkey.days",Oe)}</small></span>
      <button aria-expanded=${n===h} aria-label=${s("passkey.change_named",{label:Z})} @click=${()=>m(h)}>${s("passkey.change")}</button>
      ${n===h?_(h,Z):d}
    </li>`}let _=(h,S)=>c`<form @submit=${l(h)}>
        ${ao(s("passkey.label"),S)}
        <p class="error" role="alert"></p>
        <button>${s("rename.submit")}</button>
      </form>
      <form @submit=${u(h)}>
        <p>${s("passkey.remove_lead")}</p>
        ${M(t)}
        <p class="error" role="alert"></p>
        <button>${s("passkey.remove")}</button>
      </form>`}function xn(e){return e(),new Promise(t=>{addEventListener("pagehide",t,{once:!0}),setTimeout(t,3e4)})}var he=()=>xn(()=>location.reload());async function $e(e){await se(()=>$("DELETE",`/api/v1/${e}`)),te("left",O("account")??""),te("name",""),te("turns",""),await he()}var kn=pe({dateStyle:"medium",timeZone:"UTC"});function ot(e,t){let{name:o}=e.player,n=[],r=[],i=!0,a=null,p=null,u=k(s("security.title"),c`<div></div>`).querySelector("div");async function m(v){p=null,Z();try{await v?.(),[{sessions:n},{has_password:i},{acts:r}]=await Promise.all([_t(),W(),It()])}catch(I){p=T(I)}Z()}let f=v=>m(async()=>{for(let{id:I}of v)await An(I);a={part:"sessions",words:s("sessions.ended",{n:v.length})},u.querySelector(".sessions").focus()}),w=v=>N(v,{weak_password:["password"]},async({password:I})=>{await Q({password:I}),v.target.reset(),a={part:"password",words:s("password.done")},m()}),_=v=>I=>{a={part:v,words:I},m(async()=>{e=await W()})},h=v=>N(v,{},async()=>ne(await we(),s("recovery.why"),()=>ot(e,t))),S=v=>N(v,{},async()=>Pe("towers.ndjson",await vt())),R=v=>N(v,{},()=>$e("account")),F=v=>c`<p role="status">${a?.part===v?a.words:""}</p>`;function Z(){let v=n.filter(({is_current:I})=>!I);b(c`<form aria-labelledby="password-title" @submit=${w}>
          <h3 id="password-title">${s(i?"password.title":"password.title_first")}</h3>
          ${F("password")}
          ${C("password",s("password.new"),"new-password")}
          ${M(o)}
          <p class="error" role="alert"></p>
          <button class="primary">${s("password.submit")}</button>
        </form>
        <section class="list passkeys" aria-labelledby="passkeys-title" tabindex="-1"></section>
        ${t?$o(e,F("mail"),_("mail")):d}
        ${uo(e,t&&e.mail!==void 0,F("turn-mails"),_("turn-mails"))}
        <section class="list sessions" aria-labelledby="sessions-title" tabindex="-1">
          <h3 id="sessions-title">${s("sessions.title")}</h3>
          ${F("sessions")}
          <ul>${n.map(Oe)}</ul>
          <p class="error" role="alert">${p}</p>
          <p class="ways">
            ${v.length===0?d:c`<button @click=${()=>f(v)}>${s("sessions.end_others")}</button>`}
            <button @click=${()=>m(()=>$e("sessions"))}>${s("sessions.end_all")}</button>
          </p>
        </section>
        <form aria-labelledby="code-title" @submit=${h}>
          <h3 id="code-title">${s("recovery.code")}</h3>
          <p>${s("recovery.renew_lead")}</p>
          ${M(o)}
          <p class="error" role="alert"></p>
          <button>${s("recovery.renew")}</button>
        </form>
        <form aria-labelledby="data-title" @submit=${S}>
          <h3 id="data-title">${s("data.title")}</h3>
          <p>${s("data.lead")}</p>
          ${M(o)}
          <p class="error" role="alert"></p>
          <button>${s("data.submit")}</button>
        </form>
        ${r.length===0?d:Sn(r)}
        <form aria-labelledby="close-title" @submit=${R}>
          <h3 id="close-title">${s("close.title")}</h3>
          <p>${s("close.lead")}</p>
          <label class="sure"><input type="checkbox" required /> ${s("close.sure")}</label>
          ${M(o)}
          <p class="error" role="alert"></p>
          <button class="danger">${s("close.submit")}</button>
        </form>`,u)}m(),vo(u.querySelector(".passkeys"),o);function Oe(v){let I=v.label??s("sessions.unknown");return c`<li>
      <span>${I} <small>${s("sessions.used",{day:kn.format(v.used_ms)})}</small></span>
      ${v.is_current?c`<strong>${s("sessions.this")}</strong>`:c`<button aria-label=${s("sessions.end_named",{label:I})} @click=${()=>f([v])}>${s("sessions.end")}</button>`}
    </li>`}}var Sn=e=>c`<section class="list" aria-labelledby="acts-title">
  <h3 id="acts-title">${s("acts.title")}</h3>
  <p>${s("acts.lead")}</p>
  <ul>${e.map(t=>c`<li><span>${wo(t)} <small>${J(t.at_ms)}</small></span></li>`)}</ul>
</section>`;async function An(e){try{await xt(e)}catch(t){if(!(t instanceof g&&t.code==="no_such_resource"))throw t}}function ye(e){let t=null,o=null,n=new AbortController,r=k(s("signin.title"),c`<form @submit=${a}>
      ${U(s("signin.name"),e,"username webauthn")}
      ${C("password",s("password.label"),"current-password")}
      <p class="error" role="alert"></p>
      <p class="ways">
        <button class="primary">${s("signin.submit")}</button>
        <button type="button" class="quiet" @click=${l}>${s("signin.lost")}</button>
      </p>
      ${q?c`<button name="passkey" formnovalidate>${s("passkey.signin")}</button>`:oe()}
      ${st()}
    </form>`);r.querySelector(e===""?"input":'[name="password"]')?.focus(),r.addEventListener("close",()=>n.abort()),i();async function i(){o=await lo(n.signal),!(o===null||!r.open)&&r.querySelector("form")?.requestSubmit(r.querySelector('[name="passkey"]'))}function a(u){return nt(u,{wrong_credentials:["password"]},async(w,_)=>{t=await p(u,_);let h=t,S=A(w.name),{player:R}=await se(()=>h===null?lt({name:S,password:w.password,..._}):Te(()=>pt({passkey:h,..._})));D(R),await he()},()=>t!==null)}async function p(u,m){let f=me(u)?o:null;if(o=null,f!==null)return f;let w=t!==null&&m.reopen;return!me(u)&&!w?Ao(u)?t:null:(n.abort(),de({purpose:"sign_in"}))}async function l(){let{value:u}=r.querySelector("input");Tn(u,await En())}}async function En(){try{return(await _e()).mail}catch{return!1}}function Tn(e,t){let o=k(s("recovery.title"),c`<form @submit=${r}>
      <p>${s("recovery.lead")}</p>
      ${U(s("signin.name"),e,"username")}
      ${co(s("recovery.code"))}
      ${C("password",s("password.new"),"new-password")}
      <p class="error" role="alert"></p>
      <p class="ways">
        <button class="primary">${s("recovery.submit")}</button>
        ${t?c`<button type="button" class="quiet" @click=${n}>${s("recovery.by_mail")}</button>`:d}
      </p>
      ${st()}
    </form>`);o.querySelector(e===""?"input":'[name="code"]')?.focus();function n(){bo(o.querySelector("input").value)}function r(i){let a=["code",s("recovery.wrong")];return nt(i,{wrong_credentials:a,invalid_body:a,weak_password:["password"]},async({name:l,code:u,password:m},f)=>{let w={code:A(u),password:m};await ko(()=>ft({name:A(l),...w,...f}))})}}function xo(e){k(s("recovery.link_title"),c`<form @submit=${o}>
      <p>${s("recovery.link_lead")}</p>
      ${C("password",s("password.new"),"new-password")}
      <p class="error" role="alert"></p>
      <button class="primary">${s("recovery.submit")}</button>
      ${st()}
    </form>`).querySelector("input")?.focus();function o(n){return nt(n,{weak_password:["password"]},({password:r},i)=>ko(()=>ht({link:e,password:r,...i})))}}async function ko(e){let{player:t,mail:o}=await se(e);D(t);let n=[s("recovery.why_next")];o!==void 0&&!o.recovers&&n.push(s("recovery.mail_off",{address:o.address})),ne(await we(),n.join(" "),he)}var Pn={leave_guest:!1,reopen:!1},So=new WeakMap,nt=(e,t,o,n=()=>!1)=>x(e,t,async r=>{let a=e.target.querySelector(".question"),p=Ao(e)&&So.get(a)||Pn;try{await o(r,p)}catch(l){if(!(l instanceof g))throw l;let{code:u,games:m}=l;if(u==="guest_has_games")_o(a,{...p,leave_guest:!0},In(m));else if(u==="account_closed")_o(a,{...p,reopen:!0},On(n()));else throw l}}),Ao=({submitter:e})=>e?.getAttribute("name")==="agree";function _o(e,t,o){So.set(e,t),b(o,e),e.focus()}var st=()=>c`<section class="question" aria-labelledby="question-title" tabindex="-1"></section>`,In=e=>c`<h3 id="question-title">${s("signin.leave_title")}</h3>
    <p>${s("signin.leave")}</p>
    <ul>${e.map(t=>c`<li><a href=${`/game/${t.id}`}>${Mn(t)}</a></li>`)}</ul>
    <button class="danger" name="agree" formnovalidate>${s("signin.leave_submit")}</button>`,On=e=>c`<h3 id="question-title">${s("signin.closed_title")}</h3>
    <p>${s("signin.closed")}</p>
    ${e?c`<p>${s("signin.closed_passkey")}</p>`:d}
    <button class="primary" name="agree" formnovalidate>${s("signin.closed_submit")}</button>`;function Mn({ruleset:e,seats:t}){let o=t===null?y("lobby.your_room"):oo("game.pair",t);return[Xt(e),y("page.colon"),o]}async function Eo(e){let t=null,o=null;await n(St);async function n(m){o=null;try{t=await m()}catch(f){o=T(f)}p()}async function r(m){await n(m),o===null&&(L(a()),e.focus())}function i(m){m.preventDefault();let{days:f}=Object.fromEntries(new FormData(m.target));return r(()=>At({days:Number(f)}))}function a(){if(t===null)return"";let{present:m,days_left:f}=t;return m===null?s("vacation.left",{n:f}):s("vacation.until",{when:J(m.until_ms)})}function p(){b(c`<details>
        <summary><h3 id="vacation-title">${s("vacation.title")}</h3></summary>
        <p>${s("vacation.lead")}</p>
        ${t===null?d:l(t)}
        <p class="error" role="alert">${o}</p>
      </details>`,e)}function l({present:m,days_left:f,automatic:w}){let _=c`<p><button type="button" @click=${()=>r(Tt)}>${s("vacation.end")}</button></p>`;return c`<p><strong>${a()}</strong></p>
      ${m===null?u(f):_}
      <label class="check"><input type="checkbox" .checked=${w} aria-describedby="vacation-hint"
          @change=${h=>n(()=>Et({automatic:h.target.checked}))} />
        <span>${s("vacation.automatic")}</span></label>
      <small id="vacation-hint">${s("vacation.automatic_hint")}</small>`}function u(m){return m===0?d:c`<form class="vacation" @submit=${i}>
      <label>${s("vacation.days")}
        <input type="number" name="days" inputmode="numeric" required min="1" max=${m} step="1" value="1" />
      </label>
      <button>${s("vacation.begin")}</button>
    </form>`}}var Nn=500,Cn=["chat","name","play"];function Rn(e,t){let o=s("report.title",{name:z(e)});if(!O("account")){k(o,Ln);return}k(o,c`<form @submit=${r=>x(r,{},async({kind:i,text:a})=>{let p=A(a),l=p===""?{}:{text:p};await Pt({player:e.id,kind:i,game:t,...l}),Y(o,s("report.done"))})}>
      <p>${s("report.lead")}</p>
      <fieldset>
        <legend>${s("report.what")}</legend>
        ${Cn.map(r=>c`<label class="choice"><input type="radio" name="kind" value=${r} required /> <span>${s(`report.${r}`)}</span></label>`)}
      </fieldset>
      <div class="field">
        <label for="report-text">${s("report.text")}</label>
        <textarea id="report-text" name="text" rows="3" maxlength=${Nn}></textarea>
      </div>
      <p class="error" role="alert"></p>
      <button class="primary">${s("report.submit")}</button>
    </form>`)}var Ln=c`<div>
  <p>${s("report.guest")}</p>
  <p class="ways">
    <button class="primary" @click=${()=>Ie("")}>${s("register.title")}</button>
    <button @click=${()=>ye("")}>${s("signin.title")}</button>
  </p>
</div>`;async function sa(){let{unseen:e}=no(),t=Se(s("visitor.title"),c`<p class="ways"><a class="button" href="/inbox">${e>0?s("visitor.inbox_new",{n:e}):s("visitor.inbox")}</a></p>
      <div></div>
      <section class="list" aria-labelledby="vacation-title" tabindex="-1"></section>
      <section class="list" aria-labelledby="blocks-title" tabindex="-1"></section>
      <div></div>`);if(t===null)return;let[o,n,r,i]=[...t.querySelectorAll("div, section")];O("account")||b(To(t,O("name")??""),o);try{let{player:a,mail:p,role:l}=await _e(),u=a.kind!=="account";b(u?To(t,a.name):Hn(t,await W(),p,l!==void 0),o),b(u?Un:qn,i),Eo(n),so(r)}catch(a){b(c`<p class="error" role="alert">${T(a)}</p>`,o)}}function ra(e){let t=document.createElement("div");t.className="ended",b(c`<p>${s("ended.words")}</p>
      <button class="primary" @click=${()=>ye(e)}>${s("signin.title")}</button>
      <button class="quiet icon" aria-label=${y("page.close")} @click=${()=>t.remove()}>${H("close")}</button>`,t),E("top").append(t),L(s("ended.words"))}function ia(e,t){e==="recover"?xo(t):e==="confirm"?yo(t):mo(t)}var To=(e,t)=>c`<p>${s("visitor.guest")}</p>
    <p class="ways">
      <button class="primary" @click=${()=>Ie(Ye(t)?"":t)}>${s("register.title")}</button>
      <button @click=${()=>ye("")}>${s("signin.title")}</button>
    </p>
    ${Po(e,t,"nickname",null,async o=>(await at({name:o})).player)}`,Hn=(e,t,o,n)=>c`<p>${s("visitor.account")}</p>
    <p class="ways">
      <button @click=${()=>ot(t,o)}>${s("security.title")}</button>
      ${n?c`<a class="button" href="/moderation">${s("visitor.moderation")}</a>`:d}
    </p>
    ${Po(e,t.player.name,"username",[s("rename.hint"),...t.former_names.length===0?[]:[s("rename.former",{names:eo(t.former_names)})]].join(" "),async r=>(await Q({name:r})).player)}`;function Po(e,t,o,n,r){return c`<form @submit=${a=>x(a,{name_taken:["name"],invalid_body:["name"]},async({name:p})=>{let l=await r(A(p));e.close(),L(s("rename.done",{name:l.name})),D(l)})}>
    ${U(s("rename.label"),t,o,n)}
    <p class="error" role="alert"></p>
    <button>${s("rename.submit")}</button>
  </form>`}var Io=e=>x(e,{},()=>$e("session")),Un=c`<details class="leave">
  <summary>${s("leave.guest")}</summary>
  <form @submit=${Io}>
    <p>${s("leave.lead")}</p>
    <p class="error" role="alert"></p>
    <button class="danger">${s("leave.guest_submit")}</button>
  </form>
</details>`,qn=c`<form class="leave" @submit=${Io}>
  <p class="error" role="alert"></p>
  <button>${s("leave.title")}</button>
</form>`;export{sa as show,ra as showEnded,ia as showLink,Rn as showReport};
/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */
