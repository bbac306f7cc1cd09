var Oo={steadyMs:()=>performance.now(),wallMs:()=>Date.now()};function Mo({steadyMs:e,wallMs:t}){let[o,n]=[-1/0,1/0],s=t()-e(),i=!1,a=e(),p=s;function c(){let m=t()-e()-p;p+=m,i?m>1e3&&(s=u()+m,[o,n]=[-1/0,1/0]):s=p}function u(){return o===-1/0?s:n===1/0?o:(o+n)/2}return{now(){return c(),e()+u()},learn(m,f){c();let w=e(),_=(w-a)*2e-4,[h,A]=[m-w,f===void 0?1/0:m-f];[o,n]=[Math.max(o-_,h),Math.min(n+_,A)],o>n&&([o,n]=[h,A]),[i,a]=[!0,w]}}}var st=Mo(Oo);var g=class extends Error{constructor(t,o,{line:n,turn:s,flaw:i,games:a,until_ms:p,retryS:c}={}){super(`${t}: ${o}`),this.code=t,this.detail=o,this.line=n??null,this.turn=s??null,this.flaw=i??null,this.games=a??[],this.untilMs=p??null,this.retryS=c??0}},No="application/x-ndjson";async function $(e,t,o){let n={method:e,signal:AbortSignal.timeout(1e4)};if(o!==void 0){let u=typeof o=="string";n.body=u?o:JSON.stringify(o);let m=u&&!o.trimStart().startsWith("{")?"text/plain":"application/json";n.headers={"content-type":m}}let s,i;try{s=await fetch(t,n),Co(s),i=await s.text()}catch(u){throw new g("offline",String(u))}if(s.ok&&i==="")return;if(s.ok&&s.headers.get("content-type")===No)return i;let a;try{a=JSON.parse(i)}catch(u){throw new g("unreadable",`${s.status} ${String(u)}`)}if(s.ok)return a;let p=a,c=Number(s.headers.get("retry-after"));throw new g(p.code??"unreadable",p.detail??String(s.status),{...p,retryS:c})}function Co({headers:e}){let t=Date.parse(e.get("date")??"");e.get("cache-control")?.includes("no-store")&&!Number.isNaN(t)&&st.learn(t)}var it=()=>$("POST","/api/v1/session"),at=e=>$("PATCH","/api/v1/session",e),lt=e=>$("POST","/api/v1/account",e),W=()=>$("GET","/api/v1/account"),Q=e=>$("PATCH","/api/v1/account",e),ct=e=>$("POST","/api/v1/session/password",e),Oe=e=>$("POST","/api/v1/passkeys/options",e),pt=e=>$("POST","/api/v1/session/passkey",e),ye=()=>$("GET","/api/v1/passkeys"),ut=e=>$("POST","/api/v1/passkeys",e),mt=(e,t)=>$("PATCH",`/api/v1/passkeys/${encodeURIComponent(e)}`,t),dt=e=>$("DELETE",`/api/v1/passkeys/${encodeURIComponent(e)}`),ft=e=>$("POST","/api/v1/account/recover",e),ht=e=>$("POST","/api/v1/account/recover/link",e),$t=e=>$("POST","/api/v1/account/recover/mail",e),yt=e=>$("PUT","/api/v1/account/mail",e),bt=e=>$("POST",`/unsubscribe?link=${encodeURIComponent(e)}`),Me=e=>$("PATCH","/api/v1/account/mail",{recovers:e}),wt=()=>$("DELETE","/api/v1/account/mail"),gt=e=>$("POST","/api/v1/account/mail/confirm",e),be=()=>$("POST","/api/v1/account/code"),Ne=e=>$("POST","/api/v1/session/prove",e),vt=()=>$("GET","/api/v1/session/export"),_t=()=>$("GET","/api/v1/sessions"),xt=e=>$("DELETE",`/api/v1/sessions/${encodeURIComponent(e)}`);var we=()=>$("GET","/api/v1/blocks");var kt=e=>$("DELETE",`/api/v1/blocks/${encodeURIComponent(e)}`),At=()=>$("GET","/api/v1/vacation"),St=e=>$("PUT","/api/v1/vacation",e),Et=e=>$("PATCH","/api/v1/vacation",e),Tt=()=>$("DELETE","/api/v1/vacation"),Pt=e=>$("POST","/api/v1/reports",e),It=()=>$("GET","/api/v1/account/acts");var Nt=location.protocol==="https:",Ct=`${Nt?"__Host-":""}nothing-kept-${location.port}`,Rt=3600;function Ce(e){document.cookie=`${Ct}=1; path=/; max-age=${e}; samesite=lax${Nt?"; secure":""}`}var Ot=()=>document.cookie.split("; ").includes(`${Ct}=1`);function Ro(){try{if(!navigator.cookieEnabled||Ot())return!1;Ce(Rt);let e=Ot();return Ce(0),e}catch{return!1}}var ge=null,Ht=()=>ge===!1,Lt=()=>new g("nothing_kept","the browser keeps nothing for this site"),Mt=!1,Ho=!1;async function ve(){if(ge??=Ro(),!ge)throw Lt();Mt&&!Ho&&await qo();let e=await it();return Mt=!0,U(e.player),e}var Lo=!1;addEventListener("leaving",e=>{Lo=e.detail});async function ne(e){dispatchEvent(new CustomEvent("leaving",{detail:!0}));try{return await e()}catch(t){throw dispatchEvent(new CustomEvent("leaving",{detail:!1})),t}}function U(e){dispatchEvent(new CustomEvent("visitor",{detail:e}))}async function qo(){try{await we()}catch(e){if(!(e instanceof g&&e.code==="no_session"))return;throw ge=!1,Ce(Rt),Lt()}}var De=globalThis,qt=e=>e,_e=De.trustedTypes,Ft=_e?_e.createPolicy("lit-html",{createHTML:e=>e}):void 0,jt="$lit$",D=`lit$${Math.random().toFixed(9).slice(2)}$`,Vt="?"+D,Fo=`<${Vt}>`,V=document,se=()=>V.createComment(""),ie=e=>e===null||typeof e!="object"&&typeof e!="function",Ge=Array.isArray,Uo=e=>Ge(e)||typeof e?.[Symbol.iterator]=="function",Re=`[ 	
\f\r]`,re=/<(?:(!--|\/[^a-zA-Z])|(\/?[a-zA-Z][^>\s]*)|(\/?$))/g,Ut=/-->/g,Dt=/>/g,B=RegExp(`>|${Re}(?:([^\\s"'>=/]+)(${Re}*=${Re}*(?:[^ 	
\f\r"'\`<>=]|("|')|))|$)`,"g"),Gt=/'/g,Wt=/"/g,Kt=/^(?:script|style|textarea|title)$/i,We=e=>(t,...o)=>({_$litType$:e,strings:t,values:o}),l=We(1),P=We(2),Bn=We(3),K=Symbol.for("lit-noChange"),d=Symbol.for("lit-nothing"),Bt=new WeakMap,j=V.createTreeWalker(V,129);function zt(e,t){if(!Ge(e)||!e.hasOwnProperty("raw"))throw Error("invalid template strings array");return Ft!==void 0?Ft.createHTML(t):t}var Do=(e,t)=>{let o=e.length-1,n=[],s,i=t===2?"<svg>":t===3?"<math>":"",a=re;for(let p=0;p<o;p++){let c=e[p],u,m,f=-1,w=0;for(;w<c.length&&(a.lastIndex=w,m=a.exec(c),m!==null);)w=a.lastIndex,a===re?m[1]==="!--"?a=Ut:m[1]!==void 0?a=Dt:m[2]!==void 0?(Kt.test(m[2])&&(s=RegExp("</"+m[2],"g")),a=B):m[3]!==void 0&&(a=B):a===B?m[0]===">"?(a=s??re,f=-1):m[1]===void 0?f=-2:(f=a.lastIndex-m[2].length,u=m[1],a=m[3]===void 0?B:m[3]==='"'?Wt:Gt):a===Wt||a===Gt?a=B:a===Ut||a===Dt?a=re:(a=B,s=void 0);let _=a===B&&e[p+1].startsWith("/>")?" ":"";i+=a===re?c+Fo:f>=0?(n.push(u),c.slice(0,f)+jt+c.slice(f)+D+_):c+D+(f===-2?p:_)}return[zt(e,i+(e[o]||"<?>")+(t===2?"</svg>":t===3?"</math>":"")),n]},ae=class e{constructor({strings:t,_$litType$:o},n){let s;this.parts=[];let i=0,a=0,p=t.length-1,c=this.parts,[u,m]=Do(t,o);if(this.el=e.createElement(u,n),j.currentNode=this.el.content,o===2||o===3){let f=this.el.content.firstChild;f.replaceWith(...f.childNodes)}for(;(s=j.nextNode())!==null&&c.length<p;){if(s.nodeType===1){if(s.hasAttributes())for(let f of s.getAttributeNames())if(f.endsWith(jt)){let w=m[a++],_=s.getAttribute(f).split(D),h=/([.?@])?(.*)/.exec(w);c.push({type:1,index:i,name:h[2],strings:_,ctor:h[1]==="."?Le:h[1]==="?"?qe:h[1]==="@"?Fe:ee}),s.removeAttribute(f)}else f.startsWith(D)&&(c.push({type:6,index:i}),s.removeAttribute(f));if(Kt.test(s.tagName)){let f=s.textContent.split(D),w=f.length-1;if(w>0){s.textContent=_e?_e.emptyScript:"";for(let _=0;_<w;_++)s.append(f[_],se()),j.nextNode(),c.push({type:2,index:++i});s.append(f[w],se())}}}else if(s.nodeType===8)if(s.data===Vt)c.push({type:2,index:i});else{let f=-1;for(;(f=s.data.indexOf(D,f+1))!==-1;)c.push({type:7,index:i}),f+=D.length-1}i++}}static createElement(t,o){let n=V.createElement("template");return n.innerHTML=t,n}};function X(e,t,o=e,n){if(t===K)return t;let s=n!==void 0?o._$Co?.[n]:o._$Cl,i=ie(t)?void 0:t._$litDirective$;return s?.constructor!==i&&(s?._$AO?.(!1),i===void 0?s=void 0:(s=new i(e),s._$AT(e,o,n)),n!==void 0?(o._$Co??=[])[n]=s:o._$Cl=s),s!==void 0&&(t=X(e,s._$AS(e,t.values),s,n)),t}var He=class{constructor(t,o){this._$AV=[],this._$AN=void 0,this._$AD=t,this._$AM=o}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}u(t){let{el:{content:o},parts:n}=this._$AD,s=(t?.creationScope??V).importNode(o,!0);j.currentNode=s;let i=j.nextNode(),a=0,p=0,c=n[0];for(;c!==void 0;){if(a===c.index){let u;c.type===2?u=new le(i,i.nextSibling,this,t):c.type===1?u=new c.ctor(i,c.name,c.strings,this,t):c.type===6&&(u=new Ue(i,this,t)),this._$AV.push(u),c=n[++p]}a!==c?.index&&(i=j.nextNode(),a++)}return j.currentNode=V,s}p(t){let o=0;for(let n of this._$AV)n!==void 0&&(n.strings!==void 0?(n._$AI(t,n,o),o+=n.strings.length-2):n._$AI(t[o])),o++}},le=class e{get _$AU(){return this._$AM?._$AU??this._$Cv}constructor(t,o,n,s){this.type=2,this._$AH=d,this._$AN=void 0,this._$AA=t,this._$AB=o,this._$AM=n,this.options=s,this._$Cv=s?.isConnected??!0}get parentNode(){let t=this._$AA.parentNode,o=this._$AM;return o!==void 0&&t?.nodeType===11&&(t=o.parentNode),t}get startNode(){return this._$AA}get endNode(){return this._$AB}_$AI(t,o=this){t=X(this,t,o),ie(t)?t===d||t==null||t===""?(this._$AH!==d&&this._$AR(),this._$AH=d):t!==this._$AH&&t!==K&&this._(t):t._$litType$!==void 0?this.$(t):t.nodeType!==void 0?this.T(t):Uo(t)?this.k(t):this._(t)}O(t){return this._$AA.parentNode.insertBefore(t,this._$AB)}T(t){this._$AH!==t&&(this._$AR(),this._$AH=this.O(t))}_(t){this._$AH!==d&&ie(this._$AH)?this._$AA.nextSibling.data=t:this.T(V.createTextNode(t)),this._$AH=t}$(t){let{values:o,_$litType$:n}=t,s=typeof n=="number"?this._$AC(t):(n.el===void 0&&(n.el=ae.createElement(zt(n.h,n.h[0]),this.options)),n);if(this._$AH?._$AD===s)this._$AH.p(o);else{let i=new He(s,this),a=i.u(this.options);i.p(o),this.T(a),this._$AH=i}}_$AC(t){let o=Bt.get(t.strings);return o===void 0&&Bt.set(t.strings,o=new ae(t)),o}k(t){Ge(this._$AH)||(this._$AH=[],this._$AR());let o=this._$AH,n,s=0;for(let i of t)s===o.length?o.push(n=new e(this.O(se()),this.O(se()),this,this.options)):n=o[s],n._$AI(i),s++;s<o.length&&(this._$AR(n&&n._$AB.nextSibling,s),o.length=s)}_$AR(t=this._$AA.nextSibling,o){for(this._$AP?.(!1,!0,o);t!==this._$AB;){let n=qt(t).nextSibling;qt(t).remove(),t=n}}setConnected(t){this._$AM===void 0&&(this._$Cv=t,this._$AP?.(t))}},ee=class{get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}constructor(t,o,n,s,i){this.type=1,this._$AH=d,this._$AN=void 0,this.element=t,this.name=o,this._$AM=s,this.options=i,n.length>2||n[0]!==""||n[1]!==""?(this._$AH=Array(n.length-1).fill(new String),this.strings=n):this._$AH=d}_$AI(t,o=this,n,s){let i=this.strings,a=!1;if(i===void 0)t=X(this,t,o,0),a=!ie(t)||t!==this._$AH&&t!==K,a&&(this._$AH=t);else{let p=t,c,u;for(t=i[0],c=0;c<i.length-1;c++)u=X(this,p[n+c],o,c),u===K&&(u=this._$AH[c]),a||=!ie(u)||u!==this._$AH[c],u===d?t=d:t!==d&&(t+=(u??"")+i[c+1]),this._$AH[c]=u}a&&!s&&this.j(t)}j(t){t===d?this.element.removeAttribute(this.name):this.element.setAttribute(this.name,t??"")}},Le=class extends ee{constructor(){super(...arguments),this.type=3}j(t){this.element[this.name]=t===d?void 0:t}},qe=class extends ee{constructor(){super(...arguments),this.type=4}j(t){this.element.toggleAttribute(this.name,!!t&&t!==d)}},Fe=class extends ee{constructor(t,o,n,s,i){super(t,o,n,s,i),this.type=5}_$AI(t,o=this){if((t=X(this,t,o,0)??d)===K)return;let n=this._$AH,s=t===d&&n!==d||t.capture!==n.capture||t.once!==n.once||t.passive!==n.passive,i=t!==d&&(n===d||s);s&&this.element.removeEventListener(this.name,this,n),i&&this.element.addEventListener(this.name,this,t),this._$AH=t}handleEvent(t){typeof this._$AH=="function"?this._$AH.call(this.options?.host??this.element,t):this._$AH.handleEvent(t)}},Ue=class{constructor(t,o,n){this.element=t,this.type=6,this._$AN=void 0,this._$AM=o,this.options=n}get _$AU(){return this._$AM._$AU}_$AI(t){X(this,t)}};var Go=De.litHtmlPolyfillSupport;Go?.(ae,le),(De.litHtmlVersions??=[]).push("3.3.3");var b=(e,t,o)=>{let n=o?.renderBefore??t,s=n._$litPart$;if(s===void 0){let i=o?.renderBefore??null;n._$litPart$=s=new le(t.insertBefore(se(),i),i,void 0,o??{})}return s._$AI(e),s};var Be=Object.getPrototypeOf(b(d,document.createDocumentFragment())),Jt=Be._$AC(l`<p>${d}</p>`).constructor,{_$AI:Wo}=Be;Be._$AI=function(e,...t){let o=this._$AH;(typeof o=="string"||typeof o=="number")&&e!==o&&e!==K&&!(this.startNode.nextSibling instanceof Text)&&(this._$AR(),this._$AH=d),Wo.call(this,e,...t)};var{createElement:Bo}=Jt;Jt.createElement=(e,t)=>{let o=Bo(e,t),n=document.createTreeWalker(o.content,NodeFilter.SHOW_COMMENT);for(;n.nextNode();){let{currentNode:s}=n;s.nextSibling instanceof Text&&(s.after(document.createComment("")),n.nextNode())}return o};async function Zt(e,t){for(let o=0,n=500;;o++,n=Math.min(2*n,15e3))try{let s=await t(o);return dispatchEvent(new CustomEvent("partloaded",{detail:e})),s}catch{dispatchEvent(new CustomEvent("partmissing",{detail:e})),await new Promise(s=>setTimeout(s,n))}}var jo=/[\u061c\u200f\u202a-\u202e\u2066-\u2069\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u,Vo=e=>jo.test(e)?`⁨${e}⁩`:e;function Ko(e,t){let o=new Intl.PluralRules(e),n=new Intl.NumberFormat(e);return(s,i={})=>{let a=t[s];return a===void 0?s:(typeof a=="string"?a:a[o.select(Number(i.n))]??a.other).replace(/\{(\w+)\}/g,(c,u)=>{let m=i[u]??"";return typeof m=="number"?n.format(m):Vo(m)})}}function je(){return document.documentElement.lang==="fr"?"fr":"en"}function Yt(e,t){let o=t.flatMap(zo),n=o.find(i=>i.language===e);if(n?.region)return n.toString();let s=o.find(i=>i.region)?.region;return s===void 0?e:new Intl.Locale(e,{region:s}).toString()}function zo(e){try{return[new Intl.Locale(e)]}catch{return[]}}function xe(e){let{href:t}=document.getElementById("words");return Zt("words",async()=>{let o=await fetch(e??t);if(!o.ok)throw new Error(`${o.status}`);return Ko(je(),await o.json())})}var Ve=new Map;function G(e){try{return Ve.get(e)??localStorage.getItem(e)}catch{return null}}function ce(e,t){Ve.delete(e);try{if(localStorage.setItem(e,t),localStorage.getItem(e)===t)return}catch{}Ve.set(e,t)}var Jo=[{game:"fibonacci",rulesets:["fibonacci","fibonacci-mixed","fibonacci-cards"],first:"black",second:"white"},{game:"fenix",rulesets:["fenix"],first:"red",second:"blue"},{game:"focus",rulesets:["focus","focus-classic"],first:"white",second:"black"},{game:"crossfire",rulesets:["crossfire"],first:"white",second:"black"}],nr=Jo.flatMap(({rulesets:e})=>e),Ke=je(),y=await xe(),Qt=E("favicon"),{href:rr}=Qt,sr=Qt.dataset.turn??"";var Zo=300,Yo={polite:{timer:0,last:"",waiting:[]},assertive:{timer:0,last:"",waiting:[]}};function R(e,t="polite"){let o=Yo[t];o.waiting.includes(e)||o.waiting.push(e),clearTimeout(o.timer),o.timer=window.setTimeout(()=>{let n=o.waiting.join(" ");o.waiting=[],n===o.last&&(n+=" "),o.last=n,E(t).textContent=n},Zo)}function T(e){if(!(e instanceof g))throw e;let t=e.code==="no_session"&&Ht()?"nothing_kept":e.code;if(t==="too_fast"&&e.retryS>1)return y("refusal.wait",{when:Xo(e.retryS)});let o=`refusal.${t}`,n=y(o,e.untilMs===null?{}:{when:pe(e.untilMs)});return n===o?y("refusal.other",{code:t}):n}var Qo=new Intl.RelativeTimeFormat(Ke);function Xo(e){let[t,o]=e<100?[1,"second"]:e<6e3?[60,"minute"]:[3600,"hour"];return Qo.format(Math.ceil(e/t),o)}var Xt=e=>y(`ruleset.${e}`);var z=({name:e,kind:t})=>t==="deleted"?y("page.deleted"):e,J=e=>new Intl.DateTimeFormat(Yt(Ke,navigator.languages),e),en=J({dateStyle:"medium",timeStyle:"short"}),pe=e=>en.format(e),eo=e=>new Intl.ListFormat(Ke,{type:"conjunction"}).format(e),to=()=>matchMedia("(pointer: coarse)").matches?"touch":"keys";function E(e){let t=document.getElementById(e);if(t===null)throw new Error(`the page has no element #${e}`);return t}var tn={close:P`<path d="m6 6 12 12M18 6 6 18"/>`,undo:P`<path d="M8.5 5 4.5 9l4 4M5 9h9a5.5 5.5 0 0 1 0 11h-4"/>`,back:P`<path d="M11.500 6.500 6 12l5.500 5.500M18 6.500 12.500 12l5.500 5.500"/>`,restart:P`<path d="M5 12a7 7 0 1 1 2.2 5.1M5 17.5V13h4.5"/>`,check:P`<path d="m5 12.5 4.5 4.5L19 7.5"/>`,flip:P`<path d="M8 4v15m0 0-3.5-3.5M8 19l3.5-3.5M16 20V5m0 0-3.5 3.5M16 5l3.5 3.5"/>`,eye:P`<path d="M2.5 12c4.5-7.3 14.5-7.3 19 0-4.5 7.3-14.5 7.3-19 0Z"/><circle cx="12" cy="12" r="2.8"/>`,bulb:P`<path d="M9 18h6M10 21h4M12 3a6 6 0 0 0-3.600 10.800c.600.500.600 1.200.600 2.200h6c0-1 0-1.700.600-2.200A6 6 0 0 0 12 3Z"/>`,copy:P`<rect x="8.5" y="8.5" width="11" height="11" rx="2"/><path d="M15.5 5.5a1 1 0 0 0-1-1h-9a1 1 0 0 0-1 1v9a1 1 0 0 0 1 1"/>`,share:P`<path d="M12 15.5v-11m0 0-4 4m4-4 4 4M5 13.5v6h14v-6"/>`,stack:P`<ellipse cx="12" cy="7" rx="7.5" ry="3"/><path d="M4.5 7v5c0 1.66 3.36 3 7.5 3s7.5-1.34 7.5-3V7M4.5 12v5c0 1.66 3.36 3 7.5 3s7.5-1.34 7.5-3v-5"/>`,download:P`<path d="M12 4v11m0 0-4-4m4 4 4-4M5 19.5h14"/>`},on=e=>l`<svg class="ic" viewBox="0 0 24 24" aria-hidden="true" focusable="false">${e}</svg>`,H=e=>on(tn[e]);var ze=null;function ke(e,t,{isHeld:o}={isHeld:!1}){if(ze?.open)return null;ze?.remove();let n=document.createElement("dialog");return n.setAttribute("aria-labelledby","dialog-title"),b(l`<header class="dialog-head">
        <h2 id="dialog-title">${e}</h2>
        ${o?d:l`<button class="quiet icon" aria-label=${y("page.close")} @click=${()=>n.close()}>${H("close")}</button>`}
      </header>
      ${t}`,n),n.addEventListener("click",s=>s.target===n&&!o&&n.close()),n.addEventListener("close",()=>n.remove()),o&&(n.setAttribute("closedby","none"),n.addEventListener("cancel",s=>s.preventDefault())),ze=n,document.body.append(n),n.showModal(),n}var nn=/[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;var S=e=>e.replace(nn,"").replace(/\s+/g," ").trim();var Je=e=>/^(Guest|Invité) \d+$/.test(e),rn=8;function Ze(e){let t=z(e),o=sn(e);if(o===d)return l`<bdi>${t}</bdi>`;let n=t.length-t.lastIndexOf(" ")<=rn;return l`<bdi>${t}</bdi>${n?" ":" "}${o}`}function sn({name:e,kind:t}){return t==="guest"&&!Je(e)?l`<span class="guest-mark">${y("page.guest_mark")}</span>`:d}function oo(e,t,o){let n=Object.keys(t).map(i=>[i,`{${i}}`]);return y(e,{...o,...Object.fromEntries(n)}).split(/\{(\w+)\}/).map((i,a)=>a%2===0?i:Ze(t[i]))}var r=await xe(E("top").dataset.visitorWords);async function no(e){let t=null,o=null,n=!1;await s(async()=>{t=(await we()).players});async function s(p){o=null;try{await p()}catch(c){o=T(c)}a()}let i=p=>s(async()=>{await kt(p.id),n=!0,t=(t??[]).filter(c=>c.id!==p.id),R(r("blocks.unblocked",{name:z(p)})),e.focus()});function a(){let p=(t??[]).map(u=>l`<li><span>${Ze(u)}</span>
        <button aria-label=${r("blocks.unblock_named",{name:z(u)})} @click=${()=>i(u)}>${r("blocks.unblock")}</button></li>`),c=t?.length===0&&n;b(p.length===0&&o===null&&!c?d:l`<h3 id="blocks-title">${r("blocks.title")}</h3>
            <p>${c?r("blocks.none"):r("blocks.lead")}</p>
            ${p.length===0?d:l`<ul>${p}</ul>`}
            <p class="error" role="alert">${o}</p>`,e)}}var ro=80,an=e=>`${e[0].toLocaleUpperCase()}${e.slice(1)}.`;function ln(e,t){let o=e.split(`
`)[t-1]?.trim()??"";return o===""?"":y("record.found",{text:o.length>ro?`${o.slice(0,ro)}…`:o})}function cn(e){switch(e.code){case"expected":{let t=y(`flaw.what_${e.what}`);return e.field===null?y("flaw.expected",{what:t}):y("flaw.expected_in",{field:e.field,what:t})}case"position":return y("flaw.position",{n:e.at+1,rule:e.rule});case"illegal":case"incomplete":return y(`flaw.${e.code}`,{n:e.index+1,rule:e.rule});case"game_over":return y("flaw.game_over",{n:e.index+1});case"wrong_ending":return y("flaw.wrong_ending",{result:e.winner??"draw",reason:e.reason});case"newer_version":return y("flaw.newer_version",{version:String(e.version)});case"wrong_number":return y("flaw.wrong_number",{expected:String(e.expected)});default:return y(`flaw.${e.code}`,e)}}function so(e,t=""){let o=T(e);if(!(e instanceof g)||e.flaw===null)return l`${o}`;let{line:n,turn:s,flaw:i}=e,a=[...n===null?[]:[y("record.line",{n})],...s===null?[]:[y("record.turn",{n:s})]].join(", "),p=n===null?"":ln(t,n);return l`${o} ${an(`${a}${a===""?"":y("page.colon")}${cn(i)}`)} ${p}`}async function Ae(e,t,o){let n=e.querySelector('button:not([type="button"])'),s=e.querySelector('.error[role="alert"]');if(!n.hasAttribute("aria-disabled")){n.setAttribute("aria-disabled","true"),b(d,s);try{await t()}catch(i){b(so(i,o),s),s.scrollIntoView({block:"nearest"})}n.removeAttribute("aria-disabled")}}var ue=(e,t,o,n)=>l`<div class="field">
    <label for=${`${e}-field`}>${t}</label>
    ${n(`${e}-field`,`${e}-hint ${e}-error`)}
    <small id=${`${e}-hint`}>${o}</small>
    <p class="error" id=${`${e}-error`}></p>
  </div>`,L=(e,t,o,n=null)=>ue("name",e,n,(s,i)=>l`<input id=${s} name="name" required maxlength="24" autocomplete=${o} autocapitalize="off"
      spellcheck="false" value=${t} aria-describedby=${i} />`),io=(e,t)=>ue("label",e,null,(o,n)=>l`<input id=${o} name="label" required maxlength="40" autocomplete="off" value=${t}
      aria-describedby=${n} />`),ao=e=>ue("code",e,null,(t,o)=>l`<input id=${t} name="code" required maxlength="40" autocomplete="off" autocapitalize="characters"
      spellcheck="false" aria-describedby=${o} />`),Ye=e=>ue("address",e,null,(t,o)=>l`<input id=${t} name="address" type="email" required maxlength="254" autocomplete="email"
      aria-describedby=${o} />`),N=(e,t,o,n=null)=>{let s=o==="new-password";return ue(e,t,s?r("password.hint"):n,(i,a)=>l`<span class="secret">
      <input id=${i} name=${e} type="password" required minlength=${s?8:d} maxlength="128"
        autocomplete=${o} aria-describedby=${a} />
      <button type="button" class="quiet icon" aria-pressed="false" title=${r("password.show")} aria-label=${r("password.show")}
        @click=${pn}>${H("eye")}</button>
    </span>`)};function pn(e){let t=e.currentTarget,o=t.previousElementSibling,n=o.type==="text";o.type=n?"password":"text",t.setAttribute("aria-pressed",String(!n))}var me=({submitter:e})=>e instanceof HTMLButtonElement&&e.name==="passkey";async function x(e,t,o){e.preventDefault();let n=e.target;await Ae(n,async()=>{for(let s of n.querySelectorAll("[aria-invalid]"))s.removeAttribute("aria-invalid"),E(s.id.replace(/field$/,"error")).textContent="";try{await o(Object.fromEntries(new FormData(n)))}catch(s){let i=s instanceof g?t[s.code]:void 0;if(i===void 0)throw s;let[a,p=T(s)]=i,c=E(`${a}-field`);E(`${a}-error`).textContent=p,c.setAttribute("aria-invalid","true"),c.focus()}})}function k(e,t,o){return document.querySelector("dialog[open]")?.close(),ke(e,t,o)}function Z(e,t){k(e,l`<p class="done" tabindex="-1">${t}</p>`).querySelector(".done").focus()}var{hostname:Qe}=location,un=/^[\d.]+$|^\[/.test(Qe),q=!un&&"parseCreationOptionsFromJSON"in(globalThis.PublicKeyCredential??{}),te=()=>{if(!["127.0.0.1","[::1]"].includes(Qe))return d;let e=new URL(location.href);return e.hostname="localhost",l`<p><small>${r("passkey.elsewhere")} <a href=${e.href}>${e.host}</a></small></p>`};async function Se(e){let t=await Oe(e);return co("passkey_not_made",t.rp.id,()=>navigator.credentials.create({publicKey:PublicKeyCredential.parseCreationOptionsFromJSON(t)}))}async function de(e,t={}){let o=await Oe(e);return co("passkey_not_used",o.rpId,()=>navigator.credentials.get({publicKey:PublicKeyCredential.parseRequestOptionsFromJSON(o),...t}))}async function lo(e){if(!q||!await PublicKeyCredential.isConditionalMediationAvailable?.())return null;try{return await de({purpose:"sign_in"},{mediation:"conditional",signal:e})}catch(t){if(t instanceof g)return null;throw t}}async function Ee(e){try{return await e()}catch(t){throw t instanceof g&&t.code==="wrong_credentials"?new g("passkey_unknown",t.detail):t}}var mn={InvalidStateError:"passkey_there",ConstraintError:"passkey_unable",NotSupportedError:"passkey_unable",SecurityError:"passkey_elsewhere"};async function co(e,t,o){if(t!==Qe)throw new g("passkey_elsewhere",String(t));try{return(await o()).toJSON()}catch(n){throw n instanceof DOMException?new g(mn[n.name]??e,n.message):n}}var O=e=>l`<input name="username" autocomplete="username" value=${e} hidden />
  <div class="proof"></div>`,M=(e,t,o)=>x(e,{...t,wrong_credentials:["proof",r("password.wrong")]},async n=>{n.proof!==void 0&&await Ne({password:n.proof});try{await o(n)}catch(s){if(!(s instanceof g&&s.code==="prove_again"))throw s;await fn(e.target);return}Xe()});async function dn(e){let t=!1;await Ae(e,async()=>{let o=await de({purpose:"prove"});await Ee(()=>Ne({passkey:o})),t=!0}),t&&(Xe(),e.requestSubmit())}function Xe(){for(let e of document.querySelectorAll(".proof"))b(d,e)}async function fn(e){let[{has_password:t},{passkeys:o}]=await Promise.all([W(),ye()]);Xe();let n=e.querySelector(".proof");b(l`${t?N("proof",r("password.current"),"current-password",r("password.prove")):l`<p>${r("password.prove")}</p>`}
      ${q&&o.length>0?l`<button type="button" @click=${()=>dn(e)}>${r("passkey.prove")}</button>`:d}`,n),n.querySelector("input, button")?.focus()}var hn=["daily","soon","off"],$n=Array.from({length:24},(e,t)=>t),tt=()=>Intl.DateTimeFormat().resolvedOptions().timeZone,yn=e=>`${String(e).padStart(2,"0")}:00`,et=(e,t)=>l`<div class="field">
    <label for=${`${e}-field`}>${r(`notices.${e}`)}</label>
    <select id=${`${e}-field`} name=${e}>
      ${$n.map(o=>l`<option value=${o} ?selected=${o===t}>${yn(o)}</option>`)}
    </select>
  </div>`;function po({notices:e},t,o){return l`<form aria-labelledby="turn-mails-title" @submit=${s=>x(s,{},async({turn_mails:i,...a})=>{let[p,c,u]=[a.hour,a.quiet_from,a.quiet_to].map(Number);await Q({notices:{turn_mails:i,hour:p,quiet_from:c,quiet_to:u,zone:tt()}}),o(r("notices.saved"))})}>
    <h3 id="turn-mails-title">${r("notices.title")}</h3>
    <p>${r("notices.lead")}</p>
    ${t}
    <div class="field">
      <label for="turn_mails-field">${r("notices.when")}</label>
      <select id="turn_mails-field" name="turn_mails">
        ${hn.map(s=>l`<option value=${s} ?selected=${s===e.turn_mails}>${r(`notices.${s}`)}</option>`)}
      </select>
    </div>
    ${et("hour",e.hour)}
    ${et("quiet_from",e.quiet_from)}
    ${et("quiet_to",e.quiet_to)}
    <p><small>${r("notices.zone",{zone:e.zone})}</small></p>
    <p class="error" role="alert"></p>
    <button>${r("notices.submit")}</button>
  </form>`}function uo(e){k(r("notices.stop_title"),l`<form @submit=${t}>
      <p>${r("notices.stop_lead")}</p>
      <p class="error" role="alert"></p>
      <button class="primary">${r("notices.stop")}</button>
    </form>`);function t(o){return x(o,{},async()=>{await bt(e),Z(r("notices.stop_title"),r("notices.stopped"))})}}var fo=()=>({invalid_body:["address",r("mail.wrong")]});function ho({player:{name:e},mail:t},o,n){return l`<form aria-labelledby="mail-title" @submit=${i=>M(i,fo(),async a=>{let p=S(a.address);await yt({address:p,zone:tt()}),i.target.reset(),n(r("mail.sent",{address:p}))})}>
      <h3 id="mail-title">${r("mail.title")}</h3>
      <p>${t===void 0?r("mail.lead"):r("mail.current",{address:t.address})}</p>
      ${t?.refused===!0?l`<p class="error">${r("mail.refused")}</p>`:d}
      ${o}
      ${Ye(r(t===void 0?"mail.label":"mail.new"))}
      ${O(e)}
      <p class="error" role="alert"></p>
      <button>${r("mail.submit")}</button>
    </form>
    ${t===void 0?d:[mo(e,...bn(t.recovers),n),mo(e,wt,"mail.remove","mail.removed",n)]}`}var bn=e=>e?[()=>Me(!1),"mail.forbid","mail.forbidden"]:[()=>Me(!0),"mail.allow","mail.allowed"];function mo(e,t,o,n,s){let i=a=>M(a,{},async()=>{await t(),s(r(n))});return l`<form aria-label=${r(o)} @submit=${i}>
    ${O(e)}
    <p class="error" role="alert"></p>
    <button>${r(o)}</button>
  </form>`}function $o(e){k(r("mail.confirm_title"),l`<form @submit=${t}>
      <p>${r("mail.confirm_lead")}</p>
      <p class="error" role="alert"></p>
      <button class="primary">${r("mail.confirm_submit")}</button>
    </form>`);function t(o){return x(o,{},async()=>{await gt({link:e}),Z(r("mail.confirm_title"),r("mail.confirmed"))})}}function yo(e){k(r("recovery.by_mail"),l`<form @submit=${t}>
      <p>${r("recovery.mail_lead")}</p>
      ${L(r("signin.name"),e,"username")}
      ${Ye(r("mail.label"))}
      <p class="error" role="alert"></p>
      <button class="primary">${r("recovery.mail_submit")}</button>
    </form>`);function t(o){return x(o,fo(),async({name:n,address:s})=>{await $t({name:S(n),mail:S(s)}),Z(r("recovery.by_mail"),r("recovery.mail_sent"))})}}function Te(e,t){let o=document.createElement("a");o.href=URL.createObjectURL(new Blob([t],{type:"text/plain"})),o.download=e,o.click(),setTimeout(()=>URL.revokeObjectURL(o.href))}function oe({player:e,recovery_code:t=""},o,n){let s=r("recovery.file",{name:e.name,host:location.host}),i=k(r("recovery.show_title"),l`<form @submit=${c}>
      <p>${o}</p>
      <p class="recovery-code" id="recovery-code" tabindex="-1" translate="no">${t.split("-").map(u=>l`<span>${u}</span> `)}</p>
      <p><small>${s}</small></p>
      <p class="ways">
        <button type="button" @click=${a}>${H("copy")} ${r("recovery.copy")}</button>
        <button type="button" @click=${p}>${H("download")} ${r("recovery.download")}</button>
        <button type="button" @click=${()=>print()}>${r("recovery.print")}</button>
      </p>
      <p id="recovery-status" role="status"></p>
      <button class="primary">${r("recovery.kept")}</button>
    </form>`,{isHeld:!0});E("recovery-code").focus();async function a(){try{await navigator.clipboard.writeText(t),E("recovery-status").textContent=r("recovery.copied")}catch{getSelection()?.selectAllChildren(E("recovery-code")),E("recovery-status").textContent=r(`recovery.by_${to()}`)}}function p(){Te("towers-recovery-code.txt",`${s}

${t}
`)}function c(u){u.preventDefault(),i.close(),n()}}function Pe(e){k(r("register.title"),l`<form @submit=${gn}>
      <p>${r("register.lead")}</p>
      ${L(r("register.name"),e,"username",r("register.name_hint"))}
      ${N("password",r("password.label"),"new-password")}
      <p class="error" role="alert"></p>
      <button class="primary">${r("register.submit")}</button>
      ${q?wn():te()}
    </form>`).querySelector("input")?.focus()}var wn=()=>l`<p><small id="passkey-lead">${r("passkey.instead")}</small></p>
    <button name="passkey" formnovalidate aria-describedby="passkey-lead">${r("passkey.register")}</button>`,gn=e=>x(e,{name_taken:["name"],invalid_body:["name"],weak_password:["password"]},async t=>{let o=S(t.name),n=me(e)?{passkey:await Se({purpose:"register",name:o})}:{password:t.password},s=await lt({name:o,...n});U(s.player),oe(s,r("recovery.why"),()=>R(r("register.done",{name:s.player.name})))});function bo(e){switch(e.kind){case"muted":return r("acts.muted",{when:pe(e.until_ms)});case"name_hidden":return r("acts.name_hidden",{name:e.name});case"role_given":return r(`acts.role_${e.role}`);default:return r(`acts.${e.kind}`)}}var wo=J({dateStyle:"medium",timeZone:"UTC"});async function go(e,t){let o=[],n=null,s="",i=null;f();try{({passkeys:o}=await ye())}catch(h){i=T(h)}f();function a(h,A){[o,s,n]=[h,A,null],f(),e.focus()}function p(h){return M(h,{},async()=>{let A=await Se({purpose:"add"});a((await ut({passkey:A})).passkeys,r("passkey.added"))})}let c=h=>A=>x(A,{invalid_body:["label",r("passkey.label_wrong")]},async C=>{let{passkeys:F}=await mt(h,{label:S(C.label)});a(F,r("passkey.renamed"))}),u=h=>A=>M(A,{},async()=>{await dt(h),a(o.filter(C=>C.id!==h),r("passkey.removed"))});function m(h){n=n===h?null:h,f()}function f(){let h=l`<form @submit=${p}>
        ${O(t)}
        <p class="error" role="alert"></p>
        <button>${r("passkey.add")}</button>
      </form>`;b(l`<h3 id="passkeys-title">${r("passkey.title")}</h3>
        <p>${r("passkey.lead")}</p>
        <p role="status">${s}</p>
        ${o.length===0?d:l`<ul>${o.map(w)}</ul>`}
        <p class="error" role="alert">${i}</p>
        ${q?h:te()}`,e)}function w({id:h,label:A,created_ms:C,used_ms:F}){let Y=A??r("passkey.unnamed"),Ie={made:wo.format(C),used:wo.format(F)};return l`<li>
      <span><bdi>${Y}</bdi> <small>${r("passkey.days",Ie)}</small></span>
      <button aria-expanded=${n===h} aria-label=${r("passkey.change_named",{label:Y})} @click=${()=>m(h)}>${r("passkey.change")}</button>
      ${n===h?_(h,Y):d}
    </li>`}let _=(h,A)=>l`<form @submit=${c(h)}>
        ${io(r("passkey.label"),A)}
        <p class="error" role="alert"></p>
        <button>${r("rename.submit")}</button>
      </form>
      <form @submit=${u(h)}>
        <p>${r("passkey.remove_lead")}</p>
        ${O(t)}
        <p class="error" role="alert"></p>
        <button>${r("passkey.remove")}</button>
      </form>`}function vn(e){return e(),new Promise(t=>{addEventListener("pagehide",t,{once:!0}),setTimeout(t,3e4)})}var fe=()=>vn(()=>location.reload());async function he(e){await ne(()=>$("DELETE",`/api/v1/${e}`)),ce("left",G("account")??""),ce("name",""),ce("turns",""),await fe()}var _n=J({dateStyle:"medium",timeZone:"UTC"});function ot(e,t){let{name:o}=e.player,n=[],s=[],i=!0,a=null,p=null,u=k(r("security.title"),l`<div></div>`).querySelector("div");async function m(v){p=null,Y();try{await v?.(),[{sessions:n},{has_password:i},{acts:s}]=await Promise.all([_t(),W(),It()])}catch(I){p=T(I)}Y()}let f=v=>m(async()=>{for(let{id:I}of v)await kn(I);a={part:"sessions",words:r("sessions.ended",{n:v.length})},u.querySelector(".sessions").focus()}),w=v=>M(v,{weak_password:["password"]},async({password:I})=>{await Q({password:I}),v.target.reset(),a={part:"password",words:r("password.done")},m()}),_=v=>I=>{a={part:v,words:I},m(async()=>{e=await W()})},h=v=>M(v,{},async()=>oe(await be(),r("recovery.why"),()=>ot(e,t))),A=v=>M(v,{},async()=>Te("towers.ndjson",await vt())),C=v=>M(v,{},()=>he("account")),F=v=>l`<p role="status">${a?.part===v?a.words:""}</p>`;function Y(){let v=n.filter(({is_current:I})=>!I);b(l`<form aria-labelledby="password-title" @submit=${w}>
          <h3 id="password-title">${r(i?"password.title":"password.title_first")}</h3>
          ${F("password")}
          ${N("password",r("password.new"),"new-password")}
          ${O(o)}
          <p class="error" role="alert"></p>
          <button class="primary">${r("password.submit")}</button>
        </form>
        <section class="list passkeys" aria-labelledby="passkeys-title" tabindex="-1"></section>
        ${t?ho(e,F("mail"),_("mail")):d}
        ${t&&e.mail!==void 0?po(e,F("turn-mails"),_("turn-mails")):d}
        <section class="list sessions" aria-labelledby="sessions-title" tabindex="-1">
          <h3 id="sessions-title">${r("sessions.title")}</h3>
          ${F("sessions")}
          <ul>${n.map(Ie)}</ul>
          <p class="error" role="alert">${p}</p>
          <p class="ways">
            ${v.length===0?d:l`<button @click=${()=>f(v)}>${r("sessions.end_others")}</button>`}
            <button @click=${()=>m(()=>he("sessions"))}>${r("sessions.end_all")}</button>
          </p>
        </section>
        <form aria-labelledby="code-title" @submit=${h}>
          <h3 id="code-title">${r("recovery.code")}</h3>
          <p>${r("recovery.renew_lead")}</p>
          ${O(o)}
          <p class="error" role="alert"></p>
          <button>${r("recovery.renew")}</button>
        </form>
        <form aria-labelledby="data-title" @submit=${A}>
          <h3 id="data-title">${r("data.title")}</h3>
          <p>${r("data.lead")}</p>
          ${O(o)}
          <p class="error" role="alert"></p>
          <button>${r("data.submit")}</button>
        </form>
        ${s.length===0?d:xn(s)}
        <form aria-labelledby="close-title" @submit=${C}>
          <h3 id="close-title">${r("close.title")}</h3>
          <p>${r("close.lead")}</p>
          <label class="sure"><input type="checkbox" required /> ${r("close.sure")}</label>
          ${O(o)}
          <p class="error" role="alert"></p>
          <button class="danger">${r("close.submit")}</button>
        </form>`,u)}m(),go(u.querySelector(".passkeys"),o);function Ie(v){let I=v.label??r("sessions.unknown");return l`<li>
      <span>${I} <small>${r("sessions.used",{day:_n.format(v.used_ms)})}</small></span>
      ${v.is_current?l`<strong>${r("sessions.this")}</strong>`:l`<button aria-label=${r("sessions.end_named",{label:I})} @click=${()=>f([v])}>${r("sessions.end")}</button>`}
    </li>`}}var xn=e=>l`<section class="list" aria-labelledby="acts-title">
  <h3 id="acts-title">${r("acts.title")}</h3>
  <p>${r("acts.lead")}</p>
  <ul>${e.map(t=>l`<li><span>${bo(t)} <small>${pe(t.at_ms)}</small></span></li>`)}</ul>
</section>`;async function kn(e){try{await xt(e)}catch(t){if(!(t instanceof g&&t.code==="no_such_resource"))throw t}}function $e(e){let t=null,o=null,n=new AbortController,s=k(r("signin.title"),l`<form @submit=${a}>
      ${L(r("signin.name"),e,"username webauthn")}
      ${N("password",r("password.label"),"current-password")}
      <p class="error" role="alert"></p>
      <p class="ways">
        <button class="primary">${r("signin.submit")}</button>
        <button type="button" class="quiet" @click=${c}>${r("signin.lost")}</button>
      </p>
      ${q?l`<button name="passkey" formnovalidate>${r("passkey.signin")}</button>`:te()}
      ${rt()}
    </form>`);s.querySelector(e===""?"input":'[name="password"]')?.focus(),s.addEventListener("close",()=>n.abort()),i();async function i(){o=await lo(n.signal),!(o===null||!s.open)&&s.querySelector("form")?.requestSubmit(s.querySelector('[name="passkey"]'))}function a(u){return nt(u,{wrong_credentials:["password"]},async(w,_)=>{t=await p(u,_);let h=t,A=S(w.name),{player:C}=await ne(()=>h===null?ct({name:A,password:w.password,..._}):Ee(()=>pt({passkey:h,..._})));U(C),await fe()},()=>t!==null)}async function p(u,m){let f=me(u)?o:null;if(o=null,f!==null)return f;let w=t!==null&&m.reopen;return!me(u)&&!w?Ao(u)?t:null:(n.abort(),de({purpose:"sign_in"}))}async function c(){let{value:u}=s.querySelector("input");Sn(u,await An())}}async function An(){try{return(await ve()).mail}catch{return!1}}function Sn(e,t){let o=k(r("recovery.title"),l`<form @submit=${s}>
      <p>${r("recovery.lead")}</p>
      ${L(r("signin.name"),e,"username")}
      ${ao(r("recovery.code"))}
      ${N("password",r("password.new"),"new-password")}
      <p class="error" role="alert"></p>
      <p class="ways">
        <button class="primary">${r("recovery.submit")}</button>
        ${t?l`<button type="button" class="quiet" @click=${n}>${r("recovery.by_mail")}</button>`:d}
      </p>
      ${rt()}
    </form>`);o.querySelector(e===""?"input":'[name="code"]')?.focus();function n(){yo(o.querySelector("input").value)}function s(i){let a=["code",r("recovery.wrong")];return nt(i,{wrong_credentials:a,invalid_body:a,weak_password:["password"]},async({name:c,code:u,password:m},f)=>{let w={code:S(u),password:m};await xo(()=>ft({name:S(c),...w,...f}))})}}function _o(e){k(r("recovery.link_title"),l`<form @submit=${o}>
      <p>${r("recovery.link_lead")}</p>
      ${N("password",r("password.new"),"new-password")}
      <p class="error" role="alert"></p>
      <button class="primary">${r("recovery.submit")}</button>
      ${rt()}
    </form>`).querySelector("input")?.focus();function o(n){return nt(n,{weak_password:["password"]},({password:s},i)=>xo(()=>ht({link:e,password:s,...i})))}}async function xo(e){let{player:t,mail:o}=await ne(e);U(t);let n=[r("recovery.why_next")];o!==void 0&&!o.recovers&&n.push(r("recovery.mail_off",{address:o.address})),oe(await be(),n.join(" "),fe)}var En={leave_guest:!1,reopen:!1},ko=new WeakMap,nt=(e,t,o,n=()=>!1)=>x(e,t,async s=>{let a=e.target.querySelector(".question"),p=Ao(e)&&ko.get(a)||En;try{await o(s,p)}catch(c){if(!(c instanceof g))throw c;let{code:u,games:m}=c;if(u==="guest_has_games")vo(a,{...p,leave_guest:!0},Tn(m));else if(u==="account_closed")vo(a,{...p,reopen:!0},Pn(n()));else throw c}}),Ao=({submitter:e})=>e?.getAttribute("name")==="agree";function vo(e,t,o){ko.set(e,t),b(o,e),e.focus()}var rt=()=>l`<section class="question" aria-labelledby="question-title" tabindex="-1"></section>`,Tn=e=>l`<h3 id="question-title">${r("signin.leave_title")}</h3>
    <p>${r("signin.leave")}</p>
    <ul>${e.map(t=>l`<li><a href=${`/game/${t.id}`}>${In(t)}</a></li>`)}</ul>
    <button class="danger" name="agree" formnovalidate>${r("signin.leave_submit")}</button>`,Pn=e=>l`<h3 id="question-title">${r("signin.closed_title")}</h3>
    <p>${r("signin.closed")}</p>
    ${e?l`<p>${r("signin.closed_passkey")}</p>`:d}
    <button class="primary" name="agree" formnovalidate>${r("signin.closed_submit")}</button>`;function In({ruleset:e,seats:t}){let o=t===null?y("lobby.your_room"):oo("game.pair",t);return[Xt(e),y("page.colon"),o]}var On=J({day:"numeric",month:"long",hour:"2-digit",minute:"2-digit"}),So=e=>On.format(e);async function Eo(e){let t=null,o=null;await n(At);async function n(m){o=null;try{t=await m()}catch(f){o=T(f)}p()}async function s(m){await n(m),o===null&&(R(a()),e.focus())}function i(m){m.preventDefault();let{days:f}=Object.fromEntries(new FormData(m.target));return s(()=>St({days:Number(f)}))}function a(){if(t===null)return"";let{present:m,days_left:f}=t;return m===null?r("vacation.left",{n:f}):r("vacation.until",{when:So(m.until_ms)})}function p(){b(l`<details>
        <summary><h3 id="vacation-title">${r("vacation.title")}</h3></summary>
        <p>${r("vacation.lead")}</p>
        ${t===null?d:c(t)}
        <p class="error" role="alert">${o}</p>
      </details>`,e)}function c({present:m,days_left:f,automatic:w}){let _=l`<p><button type="button" @click=${()=>s(Tt)}>${r("vacation.end")}</button></p>`;return l`<p><strong>${a()}</strong></p>
      ${m===null?u(f):_}
      <label class="check"><input type="checkbox" .checked=${w} aria-describedby="vacation-hint"
          @change=${h=>n(()=>Et({automatic:h.target.checked}))} />
        <span>${r("vacation.automatic")}</span></label>
      <small id="vacation-hint">${r("vacation.automatic_hint")}</small>`}function u(m){return m===0?d:l`<form class="vacation" @submit=${i}>
      <label>${r("vacation.days")}
        <input type="number" name="days" inputmode="numeric" required min="1" max=${m} step="1" value="1" />
      </label>
      <button>${r("vacation.begin")}</button>
    </form>`}}var Mn=500,Nn=["chat","name","play"];function Cn(e,t){let o=r("report.title",{name:z(e)});if(!G("account")){k(o,Rn);return}k(o,l`<form @submit=${s=>x(s,{},async({kind:i,text:a})=>{let p=S(a),c=p===""?{}:{text:p};await Pt({player:e.id,kind:i,game:t,...c}),Z(o,r("report.done"))})}>
      <p>${r("report.lead")}</p>
      <fieldset>
        <legend>${r("report.what")}</legend>
        ${Nn.map(s=>l`<label class="choice"><input type="radio" name="kind" value=${s} required /> <span>${r(`report.${s}`)}</span></label>`)}
      </fieldset>
      <div class="field">
        <label for="report-text">${r("report.text")}</label>
        <textarea id="report-text" name="text" rows="3" maxlength=${Mn}></textarea>
      </div>
      <p class="error" role="alert"></p>
      <button class="primary">${r("report.submit")}</button>
    </form>`)}var Rn=l`<div>
  <p>${r("report.guest")}</p>
  <p class="ways">
    <button class="primary" @click=${()=>Pe("")}>${r("register.title")}</button>
    <button @click=${()=>$e("")}>${r("signin.title")}</button>
  </p>
</div>`;async function na(){let e=ke(r("visitor.title"),l`<div></div>
      <section class="list" aria-labelledby="vacation-title" tabindex="-1"></section>
      <section class="list" aria-labelledby="blocks-title" tabindex="-1"></section>
      <div></div>`);if(e===null)return;let[t,o,n,s]=[...e.querySelectorAll("div, section")];G("account")||b(To(e,G("name")??""),t);try{let{player:i,mail:a,role:p}=await ve(),c=i.kind!=="account";b(c?To(e,i.name):Hn(e,await W(),a,p!==void 0),t),b(c?Ln:qn,s),Eo(o),no(n)}catch(i){b(l`<p class="error" role="alert">${T(i)}</p>`,t)}}function ra(e){let t=document.createElement("div");t.className="ended",b(l`<p>${r("ended.words")}</p>
      <button class="primary" @click=${()=>$e(e)}>${r("signin.title")}</button>
      <button class="quiet icon" aria-label=${y("page.close")} @click=${()=>t.remove()}>${H("close")}</button>`,t),E("top").append(t),R(r("ended.words"))}function sa(e,t){e==="recover"?_o(t):e==="confirm"?$o(t):uo(t)}var To=(e,t)=>l`<p>${r("visitor.guest")}</p>
    <p class="ways">
      <button class="primary" @click=${()=>Pe(Je(t)?"":t)}>${r("register.title")}</button>
      <button @click=${()=>$e("")}>${r("signin.title")}</button>
    </p>
    ${Po(e,t,"nickname",null,async o=>(await at({name:o})).player)}`,Hn=(e,t,o,n)=>l`<p>${r("visitor.account")}</p>
    <p class="ways">
      <button @click=${()=>ot(t,o)}>${r("security.title")}</button>
      ${n?l`<a class="button" href="/moderation">${r("visitor.moderation")}</a>`:d}
    </p>
    ${Po(e,t.player.name,"username",[r("rename.hint"),...t.former_names.length===0?[]:[r("rename.former",{names:eo(t.former_names)})]].join(" "),async s=>(await Q({name:s})).player)}`;function Po(e,t,o,n,s){return l`<form @submit=${a=>x(a,{name_taken:["name"],invalid_body:["name"]},async({name:p})=>{let c=await s(S(p));e.close(),R(r("rename.done",{name:c.name})),U(c)})}>
    ${L(r("rename.label"),t,o,n)}
    <p class="error" role="alert"></p>
    <button>${r("rename.submit")}</button>
  </form>`}var Io=e=>x(e,{},()=>he("session")),Ln=l`<details class="leave">
  <summary>${r("leave.guest")}</summary>
  <form @submit=${Io}>
    <p>${r("leave.lead")}</p>
    <p class="error" role="alert"></p>
    <button class="danger">${r("leave.guest_submit")}</button>
  </form>
</details>`,qn=l`<form class="leave" @submit=${Io}>
  <p class="error" role="alert"></p>
  <button>${r("leave.title")}</button>
</form>`;export{na as show,ra as showEnded,sa as showLink,Cn as showReport};
/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */
