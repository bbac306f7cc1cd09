var Mo={steadyMs:()=>performance.now(),wallMs:()=>Date.now()};function No({steadyMs:e,wallMs:t}){let[o,n]=[-1/0,1/0],s=t()-e(),i=!1,a=e(),p=s;function l(){let d=t()-e()-p;p+=d,i?d>1e3&&(s=u()+d,[o,n]=[-1/0,1/0]):s=p}function u(){return o===-1/0?s:n===1/0?o:(o+n)/2}return{now(){return l(),e()+u()},learn(d,f){l();let v=e(),k=(v-a)*2e-4,[$,h]=[d-v,f===void 0?1/0:d-f];[o,n]=[Math.max(o-k,$),Math.min(n+k,h)],o>n&&([o,n]=[$,h]),[i,a]=[!0,v]}}}var we=No(Mo);var w=class extends Error{constructor(t,o,{line:n,turn:s,flaw:i,games:a,until_ms:p,retryS:l}={}){super(`${t}: ${o}`),this.name="ApiError",this.code=t,this.detail=o,this.line=n??null,this.turn=s??null,this.flaw=i??null,this.games=a??[],this.untilMs=p??null,this.retryS=l??0}static[Symbol.hasInstance](t){return t instanceof Error&&t.name==="ApiError"}},Co="application/x-ndjson";async function y(e,t,o){let n={method:e,signal:AbortSignal.timeout(1e4)};if(o!==void 0){let u=typeof o=="string";n.body=u?o:JSON.stringify(o);let d=u&&!o.trimStart().startsWith("{")?"text/plain":"application/json";n.headers={"content-type":d}}let s,i;try{s=await fetch(t,n),Ro(s),i=await s.text()}catch(u){throw new w("offline",String(u))}if(s.ok&&i==="")return;if(s.ok&&s.headers.get("content-type")===Co)return i;let a;try{a=JSON.parse(i)}catch(u){throw new w("unreadable",`${s.status} ${String(u)}`)}if(s.ok)return a;let p=a,l=Number(s.headers.get("retry-after"));throw new w(p.code??"unreadable",p.detail??String(s.status),{...p,retryS:l})}function Ro({headers:e}){let t=Date.parse(e.get("date")??"");e.get("cache-control")?.includes("no-store")&&!Number.isNaN(t)&&we.learn(t)}var at=()=>y("POST","/api/v1/session"),ct=e=>y("PATCH","/api/v1/session",e),lt=e=>y("POST","/api/v1/account",e),j=()=>y("GET","/api/v1/account"),X=e=>y("PATCH","/api/v1/account",e),pt=e=>y("POST","/api/v1/session/password",e),Ce=e=>y("POST","/api/v1/passkeys/options",e),ut=e=>y("POST","/api/v1/session/passkey",e),be=()=>y("GET","/api/v1/passkeys"),mt=e=>y("POST","/api/v1/passkeys",e),dt=(e,t)=>y("PATCH",`/api/v1/passkeys/${encodeURIComponent(e)}`,t),ft=e=>y("DELETE",`/api/v1/passkeys/${encodeURIComponent(e)}`),ht=e=>y("POST","/api/v1/account/recover",e),$t=e=>y("POST","/api/v1/account/recover/link",e),yt=e=>y("POST","/api/v1/account/recover/mail",e),wt=e=>y("PUT","/api/v1/account/mail",e),bt=e=>y("POST",`/unsubscribe?link=${encodeURIComponent(e)}`),Re=e=>y("PATCH","/api/v1/account/mail",{recovers:e}),gt=()=>y("DELETE","/api/v1/account/mail"),vt=e=>y("POST","/api/v1/account/mail/confirm",e),ge=()=>y("POST","/api/v1/account/code"),Le=e=>y("POST","/api/v1/session/prove",e),_t=()=>y("GET","/api/v1/session/export"),xt=()=>y("GET","/api/v1/sessions"),kt=e=>y("DELETE",`/api/v1/sessions/${encodeURIComponent(e)}`);var ve=()=>y("GET","/api/v1/blocks");var St=e=>y("DELETE",`/api/v1/blocks/${encodeURIComponent(e)}`),At=()=>y("GET","/api/v1/vacation"),Et=e=>y("PUT","/api/v1/vacation",e),Tt=e=>y("PATCH","/api/v1/vacation",e),Pt=()=>y("DELETE","/api/v1/vacation"),It=e=>y("POST","/api/v1/reports",e),Ot=()=>y("GET","/api/v1/account/acts");var Ct=location.protocol==="https:",Rt=`${Ct?"__Host-":""}nothing-kept-${location.port}`,Lt=3600;function He(e){document.cookie=`${Rt}=1; path=/; max-age=${e}; samesite=lax${Ct?"; secure":""}`}var Mt=()=>document.cookie.split("; ").includes(`${Rt}=1`);function Lo(){try{if(!navigator.cookieEnabled||Mt())return!1;He(Lt);let e=Mt();return He(0),e}catch{return!1}}var _e=null,Ht=()=>_e===!1,Ut=()=>new w("nothing_kept","the browser keeps nothing for this site"),Nt=!1,Ho=!1;async function xe(){if(_e??=Lo(),!_e)throw Ut();Nt&&!Ho&&await qo();let e=await at();return Nt=!0,G(e.player),e}var Uo=!1;addEventListener("leaving",e=>{Uo=e.detail});async function re(e){dispatchEvent(new CustomEvent("leaving",{detail:!0}));try{return await e()}catch(t){throw dispatchEvent(new CustomEvent("leaving",{detail:!1})),t}}function G(e){dispatchEvent(new CustomEvent("visitor",{detail:e}))}async function qo(){try{await ve()}catch(e){if(!(e instanceof w&&e.code==="no_session"))return;throw _e=!1,He(Lt),Ut()}}var We=globalThis,qt=e=>e,ke=We.trustedTypes,Dt=ke?ke.createPolicy("lit-html",{createHTML:e=>e}):void 0,Vt="$lit$",B=`lit$${Math.random().toFixed(9).slice(2)}$`,Kt="?"+B,Do=`<${Kt}>`,z=document,ie=()=>z.createComment(""),ae=e=>e===null||typeof e!="object"&&typeof e!="function",je=Array.isArray,Fo=e=>je(e)||typeof e?.[Symbol.iterator]=="function",Ue=`[ 	
\f\r]`,se=/<(?:(!--|\/[^a-zA-Z])|(\/?[a-zA-Z][^>\s]*)|(\/?$))/g,Ft=/-->/g,Gt=/>/g,V=RegExp(`>|${Ue}(?:([^\\s"'>=/]+)(${Ue}*=${Ue}*(?:[^ 	
\f\r"'\`<>=]|("|')|))|$)`,"g"),Bt=/'/g,Wt=/"/g,zt=/^(?:script|style|textarea|title)$/i,Ve=e=>(t,...o)=>({_$litType$:e,strings:t,values:o}),c=Ve(1),I=Ve(2),zn=Ve(3),J=Symbol.for("lit-noChange"),m=Symbol.for("lit-nothing"),jt=new WeakMap,K=z.createTreeWalker(z,129);function Jt(e,t){if(!je(e)||!e.hasOwnProperty("raw"))throw Error("invalid template strings array");return Dt!==void 0?Dt.createHTML(t):t}var Go=(e,t)=>{let o=e.length-1,n=[],s,i=t===2?"<svg>":t===3?"<math>":"",a=se;for(let p=0;p<o;p++){let l=e[p],u,d,f=-1,v=0;for(;v<l.length&&(a.lastIndex=v,d=a.exec(l),d!==null);)v=a.lastIndex,a===se?d[1]==="!--"?a=Ft:d[1]!==void 0?a=Gt:d[2]!==void 0?(zt.test(d[2])&&(s=RegExp("</"+d[2],"g")),a=V):d[3]!==void 0&&(a=V):a===V?d[0]===">"?(a=s??se,f=-1):d[1]===void 0?f=-2:(f=a.lastIndex-d[2].length,u=d[1],a=d[3]===void 0?V:d[3]==='"'?Wt:Bt):a===Wt||a===Bt?a=V:a===Ft||a===Gt?a=se:(a=V,s=void 0);let k=a===V&&e[p+1].startsWith("/>")?" ":"";i+=a===se?l+Do:f>=0?(n.push(u),l.slice(0,f)+Vt+l.slice(f)+B+k):l+B+(f===-2?p:k)}return[Jt(e,i+(e[o]||"<?>")+(t===2?"</svg>":t===3?"</math>":"")),n]},ce=class e{constructor({strings:t,_$litType$:o},n){let s;this.parts=[];let i=0,a=0,p=t.length-1,l=this.parts,[u,d]=Go(t,o);if(this.el=e.createElement(u,n),K.currentNode=this.el.content,o===2||o===3){let f=this.el.content.firstChild;f.replaceWith(...f.childNodes)}for(;(s=K.nextNode())!==null&&l.length<p;){if(s.nodeType===1){if(s.hasAttributes())for(let f of s.getAttributeNames())if(f.endsWith(Vt)){let v=d[a++],k=s.getAttribute(f).split(B),$=/([.?@])?(.*)/.exec(v);l.push({type:1,index:i,name:$[2],strings:k,ctor:$[1]==="."?De:$[1]==="?"?Fe:$[1]==="@"?Ge:te}),s.removeAttribute(f)}else f.startsWith(B)&&(l.push({type:6,index:i}),s.removeAttribute(f));if(zt.test(s.tagName)){let f=s.textContent.split(B),v=f.length-1;if(v>0){s.textContent=ke?ke.emptyScript:"";for(let k=0;k<v;k++)s.append(f[k],ie()),K.nextNode(),l.push({type:2,index:++i});s.append(f[v],ie())}}}else if(s.nodeType===8)if(s.data===Kt)l.push({type:2,index:i});else{let f=-1;for(;(f=s.data.indexOf(B,f+1))!==-1;)l.push({type:7,index:i}),f+=B.length-1}i++}}static createElement(t,o){let n=z.createElement("template");return n.innerHTML=t,n}};function ee(e,t,o=e,n){if(t===J)return t;let s=n!==void 0?o._$Co?.[n]:o._$Cl,i=ae(t)?void 0:t._$litDirective$;return s?.constructor!==i&&(s?._$AO?.(!1),i===void 0?s=void 0:(s=new i(e),s._$AT(e,o,n)),n!==void 0?(o._$Co??=[])[n]=s:o._$Cl=s),s!==void 0&&(t=ee(e,s._$AS(e,t.values),s,n)),t}var qe=class{constructor(t,o){this._$AV=[],this._$AN=void 0,this._$AD=t,this._$AM=o}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}u(t){let{el:{content:o},parts:n}=this._$AD,s=(t?.creationScope??z).importNode(o,!0);K.currentNode=s;let i=K.nextNode(),a=0,p=0,l=n[0];for(;l!==void 0;){if(a===l.index){let u;l.type===2?u=new le(i,i.nextSibling,this,t):l.type===1?u=new l.ctor(i,l.name,l.strings,this,t):l.type===6&&(u=new Be(i,this,t)),this._$AV.push(u),l=n[++p]}a!==l?.index&&(i=K.nextNode(),a++)}return K.currentNode=z,s}p(t){let o=0;for(let n of this._$AV)n!==void 0&&(n.strings!==void 0?(n._$AI(t,n,o),o+=n.strings.length-2):n._$AI(t[o])),o++}},le=class e{get _$AU(){return this._$AM?._$AU??this._$Cv}constructor(t,o,n,s){this.type=2,this._$AH=m,this._$AN=void 0,this._$AA=t,this._$AB=o,this._$AM=n,this.options=s,this._$Cv=s?.isConnected??!0}get parentNode(){let t=this._$AA.parentNode,o=this._$AM;return o!==void 0&&t?.nodeType===11&&(t=o.parentNode),t}get startNode(){return this._$AA}get endNode(){return this._$AB}_$AI(t,o=this){t=ee(this,t,o),ae(t)?t===m||t==null||t===""?(this._$AH!==m&&this._$AR(),this._$AH=m):t!==this._$AH&&t!==J&&this._(t):t._$litType$!==void 0?this.$(t):t.nodeType!==void 0?this.T(t):Fo(t)?this.k(t):this._(t)}O(t){return this._$AA.parentNode.insertBefore(t,this._$AB)}T(t){this._$AH!==t&&(this._$AR(),this._$AH=this.O(t))}_(t){this._$AH!==m&&ae(this._$AH)?this._$AA.nextSibling.data=t:this.T(z.createTextNode(t)),this._$AH=t}$(t){let{values:o,_$litType$:n}=t,s=typeof n=="number"?this._$AC(t):(n.el===void 0&&(n.el=ce.createElement(Jt(n.h,n.h[0]),this.options)),n);if(this._$AH?._$AD===s)this._$AH.p(o);else{let i=new qe(s,this),a=i.u(this.options);i.p(o),this.T(a),this._$AH=i}}_$AC(t){let o=jt.get(t.strings);return o===void 0&&jt.set(t.strings,o=new ce(t)),o}k(t){je(this._$AH)||(this._$AH=[],this._$AR());let o=this._$AH,n,s=0;for(let i of t)s===o.length?o.push(n=new e(this.O(ie()),this.O(ie()),this,this.options)):n=o[s],n._$AI(i),s++;s<o.length&&(this._$AR(n&&n._$AB.nextSibling,s),o.length=s)}_$AR(t=this._$AA.nextSibling,o){for(this._$AP?.(!1,!0,o);t!==this._$AB;){let n=qt(t).nextSibling;qt(t).remove(),t=n}}setConnected(t){this._$AM===void 0&&(this._$Cv=t,this._$AP?.(t))}},te=class{get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}constructor(t,o,n,s,i){this.type=1,this._$AH=m,this._$AN=void 0,this.element=t,this.name=o,this._$AM=s,this.options=i,n.length>2||n[0]!==""||n[1]!==""?(this._$AH=Array(n.length-1).fill(new String),this.strings=n):this._$AH=m}_$AI(t,o=this,n,s){let i=this.strings,a=!1;if(i===void 0)t=ee(this,t,o,0),a=!ae(t)||t!==this._$AH&&t!==J,a&&(this._$AH=t);else{let p=t,l,u;for(t=i[0],l=0;l<i.length-1;l++)u=ee(this,p[n+l],o,l),u===J&&(u=this._$AH[l]),a||=!ae(u)||u!==this._$AH[l],u===m?t=m:t!==m&&(t+=(u??"")+i[l+1]),this._$AH[l]=u}a&&!s&&this.j(t)}j(t){t===m?this.element.removeAttribute(this.name):this.element.setAttribute(this.name,t??"")}},De=class extends te{constructor(){super(...arguments),this.type=3}j(t){this.element[this.name]=t===m?void 0:t}},Fe=class extends te{constructor(){super(...arguments),this.type=4}j(t){this.element.toggleAttribute(this.name,!!t&&t!==m)}},Ge=class extends te{constructor(t,o,n,s,i){super(t,o,n,s,i),this.type=5}_$AI(t,o=this){if((t=ee(this,t,o,0)??m)===J)return;let n=this._$AH,s=t===m&&n!==m||t.capture!==n.capture||t.once!==n.once||t.passive!==n.passive,i=t!==m&&(n===m||s);s&&this.element.removeEventListener(this.name,this,n),i&&this.element.addEventListener(this.name,this,t),this._$AH=t}handleEvent(t){typeof this._$AH=="function"?this._$AH.call(this.options?.host??this.element,t):this._$AH.handleEvent(t)}},Be=class{constructor(t,o,n){this.element=t,this.type=6,this._$AN=void 0,this._$AM=o,this.options=n}get _$AU(){return this._$AM._$AU}_$AI(t){ee(this,t)}};var Bo=We.litHtmlPolyfillSupport;Bo?.(ce,le),(We.litHtmlVersions??=[]).push("3.3.3");var g=(e,t,o)=>{let n=o?.renderBefore??t,s=n._$litPart$;if(s===void 0){let i=o?.renderBefore??null;n._$litPart$=s=new le(t.insertBefore(ie(),i),i,void 0,o??{})}return s._$AI(e),s};var Ke=Object.getPrototypeOf(g(m,document.createDocumentFragment())),Yt=Ke._$AC(c`<p>${m}</p>`).constructor,{_$AI:Wo}=Ke;Ke._$AI=function(e,...t){let o=this._$AH;(typeof o=="string"||typeof o=="number")&&e!==o&&e!==J&&!(this.startNode.nextSibling instanceof Text)&&(this._$AR(),this._$AH=m),Wo.call(this,e,...t)};var{createElement:jo}=Yt;Yt.createElement=(e,t)=>{let o=jo(e,t),n=document.createTreeWalker(o.content,NodeFilter.SHOW_COMMENT);for(;n.nextNode();){let{currentNode:s}=n;s.nextSibling instanceof Text&&(s.after(document.createComment("")),n.nextNode())}return o};async function Zt(e,t){for(let o=0,n=500;;o++,n=Math.min(2*n,15e3))try{let s=await t(o);return dispatchEvent(new CustomEvent("partloaded",{detail:e})),s}catch{dispatchEvent(new CustomEvent("partmissing",{detail:e})),await new Promise(s=>setTimeout(s,n))}}var Vo=/[\u061c\u200f\u202a-\u202e\u2066-\u2069\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u,Ko=e=>Vo.test(e)?`⁨${e}⁩`:e;function zo(e,t){let o=new Intl.PluralRules(e),n=new Intl.NumberFormat(e);return(s,i={})=>{let a=t[s];return a===void 0?s:(typeof a=="string"?a:a[o.select(Number(i.n))]??a.other).replace(/\{(\w+)\}/g,(l,u)=>{let d=i[u]??"";return typeof d=="number"?n.format(d):Ko(d)})}}function ze(){return document.documentElement.lang==="fr"?"fr":"en"}function Qt(e,t){let o=t.flatMap(Jo),n=o.find(i=>i.language===e);if(n?.region)return n.toString();let s=o.find(i=>i.region)?.region;return s===void 0?e:new Intl.Locale(e,{region:s}).toString()}function Jo(e){try{return[new Intl.Locale(e)]}catch{return[]}}function Se(e){let{href:t}=document.getElementById("words");return Zt("words",async()=>{let o=await fetch(e??t);if(!o.ok)throw new Error(`${o.status}`);return zo(ze(),await o.json())})}var Je=new Map;function M(e){try{return Je.get(e)??localStorage.getItem(e)}catch{return null}}function Y(e,t){Je.delete(e);try{if(localStorage.setItem(e,t),localStorage.getItem(e)===t)return}catch{}Je.set(e,t)}var Yo=[{game:"fibonacci",rulesets:["fibonacci","fibonacci-mixed","fibonacci-cards"],first:"black",second:"white"},{game:"fenix",rulesets:["fenix"],first:"red",second:"blue"},{game:"focus",rulesets:["focus","focus-classic"],first:"white",second:"black"},{game:"crossfire",rulesets:["crossfire"],first:"white",second:"black"}],ar=Yo.flatMap(({rulesets:e})=>e),Ye=ze(),b=await Se(),Xt=T("favicon"),{href:cr}=Xt,lr=Xt.dataset.turn??"";var Zo=300,Qo={polite:{timer:0,last:"",waiting:[]},assertive:{timer:0,last:"",waiting:[]}};function H(e,t="polite"){let o=Qo[t];o.waiting.includes(e)||o.waiting.push(e),clearTimeout(o.timer),o.timer=window.setTimeout(()=>{let n=o.waiting.join(" ");o.waiting=[],n===o.last&&(n+=" "),o.last=n,T(t).textContent=n},Zo)}function P(e){if(!(e instanceof w))throw e;let t=e.code==="no_session"&&Ht()?"nothing_kept":e.code;if(t==="too_fast"&&e.retryS>1)return b("refusal.wait",{when:en(e.retryS)});let o=`refusal.${t}`,n=b(o,e.untilMs===null?{}:{when:W(e.untilMs)});return n===o?b("refusal.other",{code:t}):n}var Xo=new Intl.RelativeTimeFormat(Ye);function en(e){let[t,o]=e<100?[1,"second"]:e<6e3?[60,"minute"]:[3600,"hour"];return Xo.format(Math.ceil(e/t),o)}var eo=e=>b(`ruleset.${e}`);var Z=({name:e,kind:t})=>t==="deleted"?b("page.deleted"):e,pe=e=>new Intl.DateTimeFormat(Qt(Ye,navigator.languages),e),tn=pe({dateStyle:"medium",timeStyle:"short"}),W=e=>tn.format(e),to=e=>new Intl.ListFormat(Ye,{type:"conjunction"}).format(e),oo=()=>matchMedia("(pointer: coarse)").matches?"touch":"keys";function T(e){let t=document.getElementById(e);if(t===null)throw new Error(`the page has no element #${e}`);return t}var on={close:I`<path d="m6 6 12 12M18 6 6 18"/>`,undo:I`<path d="M8.5 5 4.5 9l4 4M5 9h9a5.5 5.5 0 0 1 0 11h-4"/>`,back:I`<path d="M11.500 6.500 6 12l5.500 5.500M18 6.500 12.500 12l5.500 5.500"/>`,restart:I`<path d="M5 12a7 7 0 1 1 2.2 5.1M5 17.5V13h4.5"/>`,check:I`<path d="m5 12.5 4.5 4.5L19 7.5"/>`,flip:I`<path d="M8 4v15m0 0-3.5-3.5M8 19l3.5-3.5M16 20V5m0 0-3.5 3.5M16 5l3.5 3.5"/>`,eye:I`<path d="M2.5 12c4.5-7.3 14.5-7.3 19 0-4.5 7.3-14.5 7.3-19 0Z"/><circle cx="12" cy="12" r="2.8"/>`,bulb:I`<path d="M9 18h6M10 21h4M12 3a6 6 0 0 0-3.600 10.800c.600.500.600 1.200.600 2.200h6c0-1 0-1.700.600-2.200A6 6 0 0 0 12 3Z"/>`,copy:I`<rect x="8.5" y="8.5" width="11" height="11" rx="2"/><path d="M15.5 5.5a1 1 0 0 0-1-1h-9a1 1 0 0 0-1 1v9a1 1 0 0 0 1 1"/>`,share:I`<path d="M12 15.5v-11m0 0-4 4m4-4 4 4M5 13.5v6h14v-6"/>`,stack:I`<ellipse cx="12" cy="7" rx="7.5" ry="3"/><path d="M4.5 7v5c0 1.66 3.36 3 7.5 3s7.5-1.34 7.5-3V7M4.5 12v5c0 1.66 3.36 3 7.5 3s7.5-1.34 7.5-3v-5"/>`,download:I`<path d="M12 4v11m0 0-4-4m4 4 4-4M5 19.5h14"/>`},nn=e=>c`<svg class="ic" viewBox="0 0 24 24" aria-hidden="true" focusable="false">${e}</svg>`,U=e=>nn(on[e]);var Ze=null;function Ae(e,t,{isHeld:o}={isHeld:!1}){if(Ze?.open)return null;Ze?.remove();let n=document.createElement("dialog");return n.setAttribute("aria-labelledby","dialog-title"),g(c`<header class="dialog-head">
        <h2 id="dialog-title">${e}</h2>
        ${o?m:c`<button class="quiet icon" aria-label=${b("page.close")} @click=${()=>n.close()}>${U("close")}</button>`}
      </header>
      ${t}`,n),n.addEventListener("click",s=>s.target===n&&!o&&n.close()),n.addEventListener("close",()=>n.remove()),o&&(n.setAttribute("closedby","none"),n.addEventListener("cancel",s=>s.preventDefault())),Ze=n,document.body.append(n),n.showModal(),n}var rn=/[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;var E=e=>e.replace(rn,"").replace(/\s+/g," ").trim();var Qe=e=>/^(Guest|Invité) \d+$/.test(e),sn=8;function Xe(e){let t=Z(e),o=an(e);if(o===m)return c`<bdi>${t}</bdi>`;let n=t.length-t.lastIndexOf(" ")<=sn;return c`<bdi>${t}</bdi>${n?" ":" "}${o}`}function an({name:e,kind:t}){return t==="guest"&&!Qe(e)?c`<span class="guest-mark">${b("page.guest_mark")}</span>`:m}function no(e,t,o){let n=Object.keys(t).map(i=>[i,`{${i}}`]);return b(e,{...o,...Object.fromEntries(n)}).split(/\{(\w+)\}/).map((i,a)=>a%2===0?i:Xe(t[i]))}var cn="turns",ln=()=>M("account")??"";function ro(){try{let{askedMs:e,playedMs:t=0,of:o,games:n,theirs:s=0,unseen:i=0}=JSON.parse(M(cn)??""),a=p=>p>Date.now()?0:p;if(o===ln())return{askedMs:a(e),playedMs:a(t),games:n,theirs:s,unseen:i}}catch{}return{askedMs:0,playedMs:0,games:[],theirs:0,unseen:0}}var r=await Se(T("top").dataset.visitorWords);async function so(e){let t=null,o=null,n=!1;await s(async()=>{t=(await ve()).players});async function s(p){o=null;try{await p()}catch(l){o=P(l)}a()}let i=p=>s(async()=>{await St(p.id),n=!0,t=(t??[]).filter(l=>l.id!==p.id),H(r("blocks.unblocked",{name:Z(p)})),e.focus()});function a(){let p=(t??[]).map(u=>c`<li><span>${Xe(u)}</span>
        <button aria-label=${r("blocks.unblock_named",{name:Z(u)})} @click=${()=>i(u)}>${r("blocks.unblock")}</button></li>`),l=t?.length===0&&n;g(p.length===0&&o===null&&!l?m:c`<h3 id="blocks-title">${r("blocks.title")}</h3>
            <p>${l?r("blocks.none"):r("blocks.lead")}</p>
            ${p.length===0?m:c`<ul>${p}</ul>`}
            <p class="error" role="alert">${o}</p>`,e)}}var io=80,pn=e=>`${e[0].toLocaleUpperCase()}${e.slice(1)}.`;function un(e,t){let o=e.split(`
`)[t-1]?.trim()??"";return o===""?"":b("record.found",{text:o.length>io?`${o.slice(0,io)}…`:o})}function mn(e){switch(e.code){case"expected":{let t=b(`flaw.what_${e.what}`);return e.field===null?b("flaw.expected",{what:t}):b("flaw.expected_in",{field:e.field,what:t})}case"position":return b("flaw.position",{n:e.at+1,rule:e.rule});case"illegal":case"incomplete":return b(`flaw.${e.code}`,{n:e.index+1,rule:e.rule});case"game_over":return b("flaw.game_over",{n:e.index+1});case"wrong_ending":return b("flaw.wrong_ending",{result:e.winner??"draw",reason:e.reason});case"newer_version":return b("flaw.newer_version",{version:String(e.version)});case"wrong_number":return b("flaw.wrong_number",{expected:String(e.expected)});default:return b(`flaw.${e.code}`,e)}}function ao(e,t=""){let o=P(e);if(!(e instanceof w)||e.flaw===null)return c`${o}`;let{line:n,turn:s,flaw:i}=e,a=[...n===null?[]:[b("record.line",{n})],...s===null?[]:[b("record.turn",{n:s})]].join(", "),p=n===null?"":un(t,n);return c`${o} ${pn(`${a}${a===""?"":b("page.colon")}${mn(i)}`)} ${p}`}async function Ee(e,t,o){let n=e.querySelector('button:not([type="button"])'),s=e.querySelector('.error[role="alert"]');if(!n.hasAttribute("aria-disabled")){n.setAttribute("aria-disabled","true"),g(m,s);try{await t()}catch(i){g(ao(i,o),s),s.scrollIntoView({block:"nearest"})}n.removeAttribute("aria-disabled")}}var ue=(e,t,o,n)=>c`<div class="field">
    <label for=${`${e}-field`}>${t}</label>
    ${n(`${e}-field`,`${e}-hint ${e}-error`)}
    <small id=${`${e}-hint`}>${o}</small>
    <p class="error" id=${`${e}-error`}></p>
  </div>`,q=(e,t,o,n=null)=>ue("name",e,n,(s,i)=>c`<input id=${s} name="name" required maxlength="24" autocomplete=${o} autocapitalize="off"
      spellcheck="false" value=${t} aria-describedby=${i} />`),co=(e,t)=>ue("label",e,null,(o,n)=>c`<input id=${o} name="label" required maxlength="40" autocomplete="off" value=${t}
      aria-describedby=${n} />`),lo=e=>ue("code",e,null,(t,o)=>c`<input id=${t} name="code" required maxlength="40" autocomplete="off" autocapitalize="characters"
      spellcheck="false" aria-describedby=${o} />`),et=e=>ue("address",e,null,(t,o)=>c`<input id=${t} name="address" type="email" required maxlength="254" autocomplete="email"
      aria-describedby=${o} />`),L=(e,t,o,n=null)=>{let s=o==="new-password";return ue(e,t,s?r("password.hint"):n,(i,a)=>c`<span class="secret">
      <input id=${i} name=${e} type="password" required minlength=${s?8:m} maxlength="128"
        autocomplete=${o} aria-describedby=${a} />
      <button type="button" class="quiet icon" aria-pressed="false" title=${r("password.show")} aria-label=${r("password.show")}
        @click=${dn}>${U("eye")}</button>
    </span>`)};function dn(e){let t=e.currentTarget,o=t.previousElementSibling,n=o.type==="text";o.type=n?"password":"text",t.setAttribute("aria-pressed",String(!n))}var me=({submitter:e})=>e instanceof HTMLButtonElement&&e.name==="passkey";async function S(e,t,o){e.preventDefault();let n=e.target;await Ee(n,async()=>{for(let s of n.querySelectorAll("[aria-invalid]"))s.removeAttribute("aria-invalid"),T(s.id.replace(/field$/,"error")).textContent="";try{await o(Object.fromEntries(new FormData(n)))}catch(s){let i=s instanceof w?t[s.code]:void 0;if(i===void 0)throw s;let[a,p=P(s)]=i,l=T(`${a}-field`);T(`${a}-error`).textContent=p,l.setAttribute("aria-invalid","true"),l.focus()}})}async function Te(e){try{return await e()}catch(t){throw t instanceof w?t.code==="invalid_body"?new w("link_damaged",t.detail):t.code==="no_such_resource"?new w("link_void",t.detail):t:t}}function A(e,t,o){return document.querySelector("dialog[open]")?.close(),Ae(e,t,o)}function Q(e,t){A(e,c`<p class="done" tabindex="-1">${t}</p>`).querySelector(".done").focus()}var{hostname:tt}=location,fn=/^[\d.]+$|^\[/.test(tt),D=!fn&&"parseCreationOptionsFromJSON"in(globalThis.PublicKeyCredential??{}),oe=()=>{if(!["127.0.0.1","[::1]"].includes(tt))return m;let e=new URL(location.href);return e.hostname="localhost",c`<p><small>${r("passkey.elsewhere")} <a href=${e.href}>${e.host}</a></small></p>`};async function Pe(e){let t=await Ce(e);return uo("passkey_not_made",t.rp.id,()=>navigator.credentials.create({publicKey:PublicKeyCredential.parseCreationOptionsFromJSON(t)}))}async function de(e,t={}){let o=await Ce(e);return uo("passkey_not_used",o.rpId,()=>navigator.credentials.get({publicKey:PublicKeyCredential.parseRequestOptionsFromJSON(o),...t}))}async function po(e){if(!D||!await PublicKeyCredential.isConditionalMediationAvailable?.())return null;try{return await de({purpose:"sign_in"},{mediation:"conditional",signal:e})}catch(t){if(t instanceof w)return null;throw t}}async function Ie(e){try{return await e()}catch(t){throw t instanceof w&&t.code==="wrong_credentials"?new w("passkey_unknown",t.detail):t}}var hn={InvalidStateError:"passkey_there",ConstraintError:"passkey_unable",NotSupportedError:"passkey_unable",SecurityError:"passkey_elsewhere"};async function uo(e,t,o){if(t!==tt)throw new w("passkey_elsewhere",String(t));try{return(await o()).toJSON()}catch(n){throw n instanceof DOMException?new w(hn[n.name]??e,n.message):n}}var N=e=>c`<input name="username" autocomplete="username" value=${e} hidden />
  <div class="proof"></div>`,C=(e,t,o)=>S(e,{...t,wrong_credentials:["proof",r("password.wrong")]},async n=>{n.proof!==void 0&&await Le({password:n.proof});try{await o(n)}catch(s){if(!(s instanceof w&&s.code==="prove_again"))throw s;await yn(e.target);return}ot()});async function $n(e){let t=!1;await Ee(e,async()=>{let o=await de({purpose:"prove"});await Ie(()=>Le({passkey:o})),t=!0}),t&&(ot(),e.requestSubmit())}function ot(){for(let e of document.querySelectorAll(".proof"))g(m,e)}async function yn(e){let[{has_password:t},{passkeys:o}]=await Promise.all([j(),be()]);ot();let n=e.querySelector(".proof");g(c`${t?L("proof",r("password.current"),"current-password",r("password.prove")):c`<p>${r("password.prove")}</p>`}
      ${D&&o.length>0?c`<button type="button" @click=${()=>$n(e)}>${r("passkey.prove")}</button>`:m}`,n),n.querySelector("input, button")?.focus()}var wn=["daily","soon","off"],bn=Array.from({length:24},(e,t)=>t),fe=()=>Intl.DateTimeFormat().resolvedOptions().timeZone,gn=e=>`${String(e).padStart(2,"0")}:00`,nt=(e,t)=>c`<div class="field">
    <label for=${`${e}-field`}>${r(`notices.${e}`)}</label>
    <select id=${`${e}-field`} name=${e}>
      ${bn.map(o=>c`<option value=${o} ?selected=${o===t}>${gn(o)}</option>`)}
    </select>
  </div>`;function mo({notices:e},t,o,n){return c`<form aria-labelledby="turn-mails-title" @submit=${i=>S(i,{},async({turn_mails:a=e.turn_mails,hour:p=e.hour,...l})=>{let[u,d,f]=[p,l.quiet_from,l.quiet_to].map(Number);await X({notices:{turn_mails:a,hour:u,quiet_from:d,quiet_to:f,zone:fe()}}),n(r("notices.saved"))})}>
    <h3 id="turn-mails-title">${r(t?"notices.title":"notices.quiet_title")}</h3>
    <p>${r(t?"notices.lead":"notices.quiet_lead")}</p>
    ${o}
    ${t?c`<div class="field">
              <label for="turn_mails-field">${r("notices.when")}</label>
              <select id="turn_mails-field" name="turn_mails">
                ${wn.map(i=>c`<option value=${i} ?selected=${i===e.turn_mails}>${r(`notices.${i}`)}</option>`)}
              </select>
            </div>
            ${nt("hour",e.hour)}`:m}
    ${nt("quiet_from",e.quiet_from)}
    ${nt("quiet_to",e.quiet_to)}
    <p><small>${r("notices.zone",{zone:e.zone})}
      ${e.zone===fe()?m:r("notices.other_zone",{zone:fe()})}</small></p>
    <p class="error" role="alert"></p>
    <button>${r("notices.submit")}</button>
  </form>`}function vn(e){if(e instanceof w&&e.code==="link_void")return!0;throw e}function fo(e){A(r("notices.stop_title"),c`<form @submit=${t}>
      <p>${r("notices.stop_lead")}</p>
      <p class="error" role="alert"></p>
      <button class="primary">${r("notices.stop")}</button>
    </form>`);function t(o){return S(o,{},async()=>{let n=await bt(e).then(()=>!1,vn);Q(r("notices.stop_title"),r(n?"notices.stop_void":"notices.stopped"))})}}var $o=()=>({invalid_body:["address",r("mail.wrong")]});function yo({player:{name:e},mail:t},o,n){return c`<form aria-labelledby="mail-title" @submit=${i=>C(i,$o(),async a=>{let p=E(a.address);await wt({address:p,zone:fe()}),i.target.reset(),n(r("mail.sent",{address:p}))})}>
      <h3 id="mail-title">${r("mail.title")}</h3>
      <p>${t===void 0?r("mail.lead"):r("mail.current",{address:t.address})}</p>
      ${t?.refused===!0?c`<p class="error">${r("mail.refused")}</p>`:m}
      ${o}
      ${et(r(t===void 0?"mail.label":"mail.new"))}
      ${N(e)}
      <p class="error" role="alert"></p>
      <button>${r("mail.submit")}</button>
    </form>
    ${t===void 0?m:[ho(e,..._n(t.recovers),n),ho(e,gt,"mail.remove","mail.removed",n)]}`}var _n=e=>e?[()=>Re(!1),"mail.forbid","mail.forbidden"]:[()=>Re(!0),"mail.allow","mail.allowed"];function ho(e,t,o,n,s){let i=a=>C(a,{},async()=>{await t(),s(r(n))});return c`<form aria-label=${r(o)} @submit=${i}>
    ${N(e)}
    <p class="error" role="alert"></p>
    <button>${r(o)}</button>
  </form>`}function wo(e){A(r("mail.confirm_title"),c`<form @submit=${t}>
      <p>${r("mail.confirm_lead")}</p>
      <p class="error" role="alert"></p>
      <button class="primary">${r("mail.confirm_submit")}</button>
    </form>`);function t(o){return S(o,{},async()=>{await Te(()=>vt({link:e})),Q(r("mail.confirm_title"),r("mail.confirmed"))})}}function bo(e){A(r("recovery.by_mail"),c`<form @submit=${t}>
      <p>${r("recovery.mail_lead")}</p>
      ${q(r("signin.name"),e,"username")}
      ${et(r("mail.label"))}
      <p class="error" role="alert"></p>
      <button class="primary">${r("recovery.mail_submit")}</button>
    </form>`);function t(o){return S(o,$o(),async({name:n,address:s})=>{await yt({name:E(n),mail:E(s)}),Q(r("recovery.by_mail"),r("recovery.mail_sent"))})}}function Oe(e,t){let o=document.createElement("a");o.href=URL.createObjectURL(new Blob([t],{type:"text/plain"})),o.download=e,o.click(),setTimeout(()=>URL.revokeObjectURL(o.href))}function ne({player:e,recovery_code:t=""},o,n){let s=r("recovery.file",{name:e.name,host:location.host}),i=A(r("recovery.show_title"),c`<form @submit=${l}>
      <p>${o}</p>
      <p class="recovery-code" id="recovery-code" tabindex="-1" translate="no">${t.split("-").map(u=>c`<span>${u}</span> `)}</p>
      <p><small>${s}</small></p>
      <p class="ways">
        <button type="button" @click=${a}>${U("copy")} ${r("recovery.copy")}</button>
        <button type="button" @click=${p}>${U("download")} ${r("recovery.download")}</button>
        <button type="button" @click=${()=>print()}>${r("recovery.print")}</button>
      </p>
      <p id="recovery-status" role="status"></p>
      <button class="primary">${r("recovery.kept")}</button>
    </form>`,{isHeld:!0});T("recovery-code").focus();async function a(){try{await navigator.clipboard.writeText(t),T("recovery-status").textContent=r("recovery.copied")}catch{getSelection()?.selectAllChildren(T("recovery-code")),T("recovery-status").textContent=r(`recovery.by_${oo()}`)}}function p(){Oe("towers-recovery-code.txt",`${s}

${t}
`)}function l(u){u.preventDefault(),i.close(),n()}}function Me(e){A(r("register.title"),c`<form @submit=${kn}>
      <p>${r("register.lead")}</p>
      ${q(r("register.name"),e,"username",r("register.name_hint"))}
      ${L("password",r("password.label"),"new-password")}
      <p class="error" role="alert"></p>
      <button class="primary">${r("register.submit")}</button>
      ${D?xn():oe()}
    </form>`).querySelector("input")?.focus()}var xn=()=>c`<p><small id="passkey-lead">${r("passkey.instead")}</small></p>
    <button name="passkey" formnovalidate aria-describedby="passkey-lead">${r("passkey.register")}</button>`,kn=e=>S(e,{name_taken:["name"],invalid_body:["name"],weak_password:["password"]},async t=>{let o=E(t.name),n=me(e)?{passkey:await Pe({purpose:"register",name:o})}:{password:t.password},s=await lt({name:o,...n});G(s.player),ne(s,r("recovery.why"),()=>H(r("register.done",{name:s.player.name})))});function go(e){switch(e.kind){case"muted":return r("acts.muted",{when:W(e.until_ms)});case"name_hidden":return r("acts.name_hidden",{name:e.name});case"role_given":return r(`acts.role_${e.role}`);default:return r(`acts.${e.kind}`)}}var vo=pe({dateStyle:"medium",timeZone:"UTC"});async function _o(e,t){let o=[],n=null,s="",i=null;f();try{({passkeys:o}=await be())}catch($){i=P($)}f();function a($,h){[o,s,n]=[$,h,null],f(),e.focus()}function p($){return C($,{},async()=>{let h=await Pe({purpose:"add"});a((await mt({passkey:h})).passkeys,r("passkey.added"))})}let l=$=>h=>S(h,{invalid_body:["label",r("passkey.label_wrong")]},async _=>{let{passkeys:R}=await dt($,{label:E(_.label)});a(R,r("passkey.renamed"))}),u=$=>h=>C(h,{},async()=>{await ft($),a(o.filter(_=>_.id!==$),r("passkey.removed"))});function d($){n=n===$?null:$,f()}function f(){let $=c`<form @submit=${p}>
        ${N(t)}
        <p class="error" role="alert"></p>
        <button>${r("passkey.add")}</button>
      </form>`;g(c`<h3 id="passkeys-title">${r("passkey.title")}</h3>
        <p>${r("passkey.lead")}</p>
        <p role="status">${s}</p>
        ${o.length===0?m:c`<ul>${o.map(v)}</ul>`}
        <p class="error" role="alert">${i}</p>
        ${D?$:oe()}`,e)}function v({id:$,label:h,created_ms:_,used_ms:R}){let F=h??r("passkey.unnamed"),Ne={made:vo.format(_),used:vo.format(R)};return c`<li>
      <span><bdi>${F}</bdi> <small>${r("passkey.days",Ne)}</small></span>
      <button aria-expanded=${n===$} aria-label=${r("passkey.change_named",{label:F})} @click=${()=>d($)}>${r("passkey.change")}</button>
      ${n===$?k($,F):m}
    </li>`}let k=($,h)=>c`<form @submit=${l($)}>
        ${co(r("passkey.label"),h)}
        <p class="error" role="alert"></p>
        <button>${r("rename.submit")}</button>
      </form>
      <form @submit=${u($)}>
        <p>${r("passkey.remove_lead")}</p>
        ${N(t)}
        <p class="error" role="alert"></p>
        <button>${r("passkey.remove")}</button>
      </form>`}function Sn(e){return e(),new Promise(t=>{addEventListener("pagehide",t,{once:!0}),setTimeout(t,3e4)})}var he=()=>Sn(()=>location.reload());async function $e(e){await re(()=>y("DELETE",`/api/v1/${e}`)),Y("left",M("account")??""),Y("marked",""),Y("name",""),Y("turns",""),await he()}var An=pe({dateStyle:"medium",timeZone:"UTC"});function rt(e,t){let{name:o}=e.player,n=[],s=[],i=!0,a=null,p=null,u=A(r("security.title"),c`<div></div>`).querySelector("div");async function d(x){p=null,F();try{await x?.(),[{sessions:n},{has_password:i},{acts:s}]=await Promise.all([xt(),j(),Ot()])}catch(O){p=P(O)}F()}let f=x=>d(async()=>{for(let{id:O}of x)await Tn(O);a={part:"sessions",words:r("sessions.ended",{n:x.length})},u.querySelector(".sessions").focus()}),v=x=>C(x,{weak_password:["password"]},async({password:O})=>{await X({password:O}),x.target.reset(),a={part:"password",words:r("password.done")},d()}),k=x=>O=>{a={part:x,words:O},d(async()=>{e=await j()})},$=x=>C(x,{},async()=>ne(await ge(),r("recovery.why"),()=>rt(e,t))),h=x=>C(x,{},async()=>Oe("towers.ndjson",await _t())),_=x=>C(x,{},()=>$e("account")),R=x=>c`<p role="status">${a?.part===x?a.words:""}</p>`;function F(){let x=n.filter(({is_current:O})=>!O);g(c`<form aria-labelledby="password-title" @submit=${v}>
          <h3 id="password-title">${r(i?"password.title":"password.title_first")}</h3>
          ${R("password")}
          ${L("password",r("password.new"),"new-password")}
          ${N(o)}
          <p class="error" role="alert"></p>
          <button class="primary">${r("password.submit")}</button>
        </form>
        <section class="list passkeys" aria-labelledby="passkeys-title" tabindex="-1"></section>
        ${t?yo(e,R("mail"),k("mail")):m}
        ${mo(e,t&&e.mail!==void 0,R("turn-mails"),k("turn-mails"))}
        <section class="list sessions" aria-labelledby="sessions-title" tabindex="-1">
          <h3 id="sessions-title">${r("sessions.title")}</h3>
          ${R("sessions")}
          <ul>${n.map(Ne)}</ul>
          <p class="error" role="alert">${p}</p>
          <p class="ways">
            ${x.length===0?m:c`<button @click=${()=>f(x)}>${r("sessions.end_others")}</button>`}
            <button @click=${()=>d(()=>$e("sessions"))}>${r("sessions.end_all")}</button>
          </p>
        </section>
        <form aria-labelledby="code-title" @submit=${$}>
          <h3 id="code-title">${r("recovery.code")}</h3>
          <p>${r("recovery.renew_lead")}</p>
          ${N(o)}
          <p class="error" role="alert"></p>
          <button>${r("recovery.renew")}</button>
        </form>
        <form aria-labelledby="data-title" @submit=${h}>
          <h3 id="data-title">${r("data.title")}</h3>
          <p>${r("data.lead")}</p>
          ${N(o)}
          <p class="error" role="alert"></p>
          <button>${r("data.submit")}</button>
        </form>
        ${s.length===0?m:En(s)}
        <form aria-labelledby="close-title" @submit=${_}>
          <h3 id="close-title">${r("close.title")}</h3>
          <p>${r("close.lead")}</p>
          <label class="sure"><input type="checkbox" required /> ${r("close.sure")}</label>
          ${N(o)}
          <p class="error" role="alert"></p>
          <button class="danger">${r("close.submit")}</button>
        </form>`,u)}d(),_o(u.querySelector(".passkeys"),o);function Ne(x){let O=x.label??r("sessions.unknown");return c`<li>
      <span>${O} <small>${r("sessions.used",{day:An.format(x.used_ms)})}</small></span>
      ${x.is_current?c`<strong>${r("sessions.this")}</strong>`:c`<button aria-label=${r("sessions.end_named",{label:O})} @click=${()=>f([x])}>${r("sessions.end")}</button>`}
    </li>`}}var En=e=>c`<section class="list" aria-labelledby="acts-title">
  <h3 id="acts-title">${r("acts.title")}</h3>
  <p>${r("acts.lead")}</p>
  <ul>${e.map(t=>c`<li><span>${go(t)} <small>${W(t.at_ms)}</small></span></li>`)}</ul>
</section>`;async function Tn(e){try{await kt(e)}catch(t){if(!(t instanceof w&&t.code==="no_such_resource"))throw t}}function ye(e){let t=null,o=null,n=new AbortController,s=A(r("signin.title"),c`<form @submit=${a}>
      ${q(r("signin.name"),e,"username webauthn")}
      ${L("password",r("password.label"),"current-password")}
      <p class="error" role="alert"></p>
      <p class="ways">
        <button class="primary">${r("signin.submit")}</button>
        <button type="button" class="quiet" @click=${l}>${r("signin.lost")}</button>
      </p>
      ${D?c`<button name="passkey" formnovalidate>${r("passkey.signin")}</button>`:oe()}
      ${it()}
    </form>`);s.querySelector(e===""?"input":'[name="password"]')?.focus(),s.addEventListener("close",()=>n.abort()),i();async function i(){o=await po(n.signal),!(o===null||!s.open)&&s.querySelector("form")?.requestSubmit(s.querySelector('[name="passkey"]'))}function a(u){return st(u,{wrong_credentials:["password"]},async(v,k)=>{t=await p(u,k);let $=t,h=E(v.name),{player:_}=await re(()=>$===null?pt({name:h,password:v.password,...k}):Ie(()=>ut({passkey:$,...k})));G(_),await he()},()=>t!==null)}async function p(u,d){let f=me(u)?o:null;if(o=null,f!==null)return f;let v=t!==null&&d.reopen;return!me(u)&&!v?Eo(u)?t:null:(n.abort(),de({purpose:"sign_in"}))}async function l(){let{value:u}=s.querySelector("input");In(u,await Pn())}}async function Pn(){try{return(await xe()).mail}catch{return!1}}function In(e,t){let o=A(r("recovery.title"),c`<form @submit=${s}>
      <p>${r("recovery.lead")}</p>
      ${q(r("signin.name"),e,"username")}
      ${lo(r("recovery.code"))}
      ${L("password",r("password.new"),"new-password")}
      <p class="error" role="alert"></p>
      <p class="ways">
        <button class="primary">${r("recovery.submit")}</button>
        ${t?c`<button type="button" class="quiet" @click=${n}>${r("recovery.by_mail")}</button>`:m}
      </p>
      ${it()}
    </form>`);o.querySelector(e===""?"input":'[name="code"]')?.focus();function n(){bo(o.querySelector("input").value)}function s(i){let a=["code",r("recovery.wrong")];return st(i,{wrong_credentials:a,invalid_body:a,weak_password:["password"]},async({name:l,code:u,password:d},f)=>{let v={code:E(u),password:d};await So(()=>ht({name:E(l),...v,...f}))})}}function ko(e){A(r("recovery.link_title"),c`<form @submit=${o}>
      <p>${r("recovery.link_lead")}</p>
      ${L("password",r("password.new"),"new-password")}
      <p class="error" role="alert"></p>
      <button class="primary">${r("recovery.submit")}</button>
      ${it()}
    </form>`).querySelector("input")?.focus();function o(n){return st(n,{weak_password:["password"]},({password:s},i)=>So(()=>Te(()=>$t({link:e,password:s,...i}))))}}async function So(e){let{player:t,mail:o}=await re(e);G(t);let n=[r("recovery.why_next")];o!==void 0&&!o.recovers&&n.push(r("recovery.mail_off",{address:o.address})),ne(await ge(),n.join(" "),he)}var On={leave_guest:!1,reopen:!1},Ao=new WeakMap,st=(e,t,o,n=()=>!1)=>S(e,t,async s=>{let a=e.target.querySelector(".question"),p=Eo(e)&&Ao.get(a)||On;try{await o(s,p)}catch(l){if(!(l instanceof w))throw l;let{code:u,games:d}=l;if(u==="guest_has_games")xo(a,{...p,leave_guest:!0},Mn(d));else if(u==="account_closed")xo(a,{...p,reopen:!0},Nn(n()));else throw l}}),Eo=({submitter:e})=>e?.getAttribute("name")==="agree";function xo(e,t,o){Ao.set(e,t),g(o,e),e.focus()}var it=()=>c`<section class="question" aria-labelledby="question-title" tabindex="-1"></section>`,Mn=e=>c`<h3 id="question-title">${r("signin.leave_title")}</h3>
    <p>${r("signin.leave")}</p>
    <ul>${e.map(t=>c`<li><a href=${`/game/${t.id}`}>${Cn(t)}</a></li>`)}</ul>
    <button class="danger" name="agree" formnovalidate>${r("signin.leave_submit")}</button>`,Nn=e=>c`<h3 id="question-title">${r("signin.closed_title")}</h3>
    <p>${r("signin.closed")}</p>
    ${e?c`<p>${r("signin.closed_passkey")}</p>`:m}
    <button class="primary" name="agree" formnovalidate>${r("signin.closed_submit")}</button>`;function Cn({ruleset:e,seats:t}){let o=t===null?b("lobby.your_room"):no("game.pair",t);return[eo(e),b("page.colon"),o]}var Rn=24*36e5;async function To(e){let t=null,o=null,n=null;await s(At);async function s(h){n=null;try{t=await h()}catch(_){n=P(_)}f()}async function i(h){await s(h),n===null&&(H(d()),e.focus())}function a(h){h.preventDefault();let{days:_}=Object.fromEntries(new FormData(h.target));o=Number(_),f(),e.querySelector("button")?.focus()}let p=h=>i(async()=>{let _=await Et({days:h});return o=null,_});async function l(h){let _=h.target;await s(()=>Tt({automatic:_.checked})),t!==null&&(_.checked=t.automatic)}function u(){o=null,f(),e.querySelector("input")?.focus()}function d(){if(t===null)return"";let{present:h,days_left:_}=t;return h===null?r("vacation.left",{n:_}):r("vacation.until",{when:W(h.until_ms)})}function f(){g(c`<details>
        <summary><h3 id="vacation-title">${r("vacation.title")}</h3></summary>
        <p>${r("vacation.lead")}</p>
        ${t===null?m:v(t)}
        <p class="error" role="alert">${n}</p>
      </details>`,e)}function v({present:h,days_left:_,automatic:R}){let F=c`<p><button type="button" @click=${()=>i(Pt)}>${r("vacation.end")}</button></p>`;return c`<p><strong>${d()}</strong></p>
      ${h!==null?F:o===null?$(_):k(o,_)}
      <label class="check"><input type="checkbox" .checked=${R} aria-describedby="vacation-hint" @change=${l} />
        <span>${r("vacation.automatic")}</span></label>
      <small id="vacation-hint">${r("vacation.automatic_hint")}</small>`}let k=(h,_)=>c`<div class="sure" role="group" aria-labelledby="vacation-sure" aria-describedby="vacation-sure-words">
      <p id="vacation-sure"><strong>${r("vacation.sure",{n:h})}</strong></p>
      <p id="vacation-sure-words">${r("vacation.sure_words",{n:_-h,when:W(we.now()+h*Rn)})}</p>
      <p class="buttons"><button type="button" class="primary" @click=${()=>p(h)}>${r("vacation.yes")}</button>
        <button type="button" class="quiet" @click=${u}>${r("vacation.no")}</button></p>
    </div>`;function $(h){return h===0?m:c`<form class="vacation" @submit=${a}>
      <label>${r("vacation.days")}
        <input type="number" name="days" inputmode="numeric" required min="1" max=${h} step="1" value="1" />
      </label>
      <button>${r("vacation.begin")}</button>
    </form>`}}var Ln=500,Hn=["chat","name","play"];function Un(e,t){let o=r("report.title",{name:Z(e)});if(!M("account")){A(o,qn);return}A(o,c`<form @submit=${s=>S(s,{},async({kind:i,text:a})=>{let p=E(a),l=p===""?{}:{text:p};await It({player:e.id,kind:i,game:t,...l}),Q(o,r("report.done"))})}>
      <p>${r("report.lead")}</p>
      <fieldset>
        <legend>${r("report.what")}</legend>
        ${Hn.map(s=>c`<label class="choice"><input type="radio" name="kind" value=${s} required /> <span>${r(`report.${s}`)}</span></label>`)}
      </fieldset>
      <div class="field">
        <label for="report-text">${r("report.text")}</label>
        <textarea id="report-text" name="text" rows="3" maxlength=${Ln}></textarea>
      </div>
      <p class="error" role="alert"></p>
      <button class="primary">${r("report.submit")}</button>
    </form>`)}var qn=c`<div>
  <p>${r("report.guest")}</p>
  <p class="ways">
    <button class="primary" @click=${()=>Me("")}>${r("register.title")}</button>
    <button @click=${()=>ye("")}>${r("signin.title")}</button>
  </p>
</div>`;async function ma(){let{unseen:e}=ro(),t=Ae(r("visitor.title"),c`<p class="ways"><a class="button" href="/inbox">${e>0?r("visitor.inbox_new",{n:e}):r("visitor.inbox")}</a></p>
      <div></div>
      <section class="list" aria-labelledby="vacation-title" tabindex="-1"></section>
      <section class="list" aria-labelledby="blocks-title" tabindex="-1"></section>
      <div></div>`);if(t===null)return;let[o,n,s,i]=[...t.querySelectorAll("div, section")];M("account")||g(Po(t,M("name")??""),o);try{let{player:a,mail:p,role:l}=await xe(),u=a.kind!=="account";g(u?Po(t,a.name):Dn(t,await j(),p,l!==void 0),o),g(u?Fn:Gn,i),To(n),so(s)}catch(a){g(c`<p class="error" role="alert">${P(a)}</p>`,o)}}function da(e){let t=document.createElement("div");t.className="ended",g(c`<p>${r("ended.words")}</p>
      <button class="primary" @click=${()=>ye(e)}>${r("signin.title")}</button>
      <button class="quiet icon" aria-label=${b("page.close")} @click=${()=>t.remove()}>${U("close")}</button>`,t),T("top").append(t),H(r("ended.words"))}function fa(e,t){e==="recover"?ko(t):e==="confirm"?wo(t):fo(t)}var Po=(e,t)=>c`<p>${r("visitor.guest")}</p>
    <p class="ways">
      <button class="primary" @click=${()=>Me(Qe(t)?"":t)}>${r("register.title")}</button>
      <button @click=${()=>ye("")}>${r("signin.title")}</button>
    </p>
    ${Io(e,t,"nickname",null,async o=>(await ct({name:o})).player)}`,Dn=(e,t,o,n)=>c`<p>${r("visitor.account")}</p>
    <p class="ways">
      <button @click=${()=>rt(t,o)}>${r("security.title")}</button>
      ${n?c`<a class="button" href="/moderation">${r("visitor.moderation")}</a>`:m}
    </p>
    ${Io(e,t.player.name,"username",[r("rename.hint"),...t.former_names.length===0?[]:[r("rename.former",{names:to(t.former_names)})]].join(" "),async s=>(await X({name:s})).player)}`;function Io(e,t,o,n,s){return c`<form @submit=${a=>S(a,{name_taken:["name"],invalid_body:["name"]},async({name:p})=>{let l=await s(E(p));e.close(),H(r("rename.done",{name:l.name})),G(l)})}>
    ${q(r("rename.label"),t,o,n)}
    <p class="error" role="alert"></p>
    <button>${r("rename.submit")}</button>
  </form>`}var Oo=e=>S(e,{},()=>$e("session")),Fn=c`<details class="leave">
  <summary>${r("leave.guest")}</summary>
  <form @submit=${Oo}>
    <p>${r("leave.lead")}</p>
    <p class="error" role="alert"></p>
    <button class="danger">${r("leave.guest_submit")}</button>
  </form>
</details>`,Gn=c`<form class="leave" @submit=${Oo}>
  <p class="error" role="alert"></p>
  <button>${r("leave.title")}</button>
</form>`;export{ma as show,da as showEnded,fa as showLink,Un as showReport};
/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */
