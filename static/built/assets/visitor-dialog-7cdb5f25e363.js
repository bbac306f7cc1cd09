var io={steadyMs:()=>performance.now(),wallMs:()=>Date.now()};function ao({steadyMs:e,wallMs:t}){let[o,n]=[-1/0,1/0],s=t()-e(),i=!1,a=e(),p=s;function l(){let m=t()-e()-p;p+=m,i?m>1e3&&(s=u()+m,[o,n]=[-1/0,1/0]):s=p}function u(){return o===-1/0?s:n===1/0?o:(o+n)/2}return{now(){return l(),e()+u()},learn(m,f){l();let v=e(),k=(v-a)*2e-4,[h,_]=[m-v,f===void 0?1/0:m-f];[o,n]=[Math.max(o-k,h),Math.min(n+k,_)],o>n&&([o,n]=[h,_]),[i,a]=[!0,v]}}}var Ve=ao(io);var g=class extends Error{constructor(t,o,{line:n,turn:s,flaw:i,games:a,retryS:p}={}){super(`${t}: ${o}`),this.code=t,this.detail=o,this.line=n??null,this.turn=s??null,this.flaw=i??null,this.games=a??[],this.retryS=p??0}};async function $(e,t,o){let n={method:e,signal:AbortSignal.timeout(1e4)};if(o!==void 0){let u=typeof o=="string";n.body=u?o:JSON.stringify(o);let m=u&&!o.trimStart().startsWith("{")?"text/plain":"application/json";n.headers={"content-type":m}}let s,i;try{s=await fetch(t,n),co(s),i=await s.text()}catch(u){throw new g("offline",String(u))}if(s.ok&&i==="")return;let a;try{a=JSON.parse(i)}catch(u){throw new g("unreadable",`${s.status} ${String(u)}`)}if(s.ok)return a;let p=a,l=Number(s.headers.get("retry-after"));throw new g(p.code??"unreadable",p.detail??String(s.status),{...p,retryS:l})}function co({headers:e}){let t=Date.parse(e.get("date")??"");e.get("cache-control")?.includes("no-store")&&!Number.isNaN(t)&&Ve.learn(t)}var Ke=()=>$("POST","/api/v1/session"),ze=e=>$("PATCH","/api/v1/session",e),Je=e=>$("POST","/api/v1/account",e),U=()=>$("GET","/api/v1/account"),ce=e=>$("PATCH","/api/v1/account",e),Ye=e=>$("POST","/api/v1/session/password",e),_e=e=>$("POST","/api/v1/passkeys/options",e),Ze=e=>$("POST","/api/v1/session/passkey",e),le=()=>$("GET","/api/v1/passkeys"),Qe=e=>$("POST","/api/v1/passkeys",e),Xe=(e,t)=>$("PATCH",`/api/v1/passkeys/${encodeURIComponent(e)}`,t),et=e=>$("DELETE",`/api/v1/passkeys/${encodeURIComponent(e)}`),tt=e=>$("POST","/api/v1/account/recover",e),ot=e=>$("POST","/api/v1/account/recover/link",e),nt=e=>$("POST","/api/v1/account/recover/mail",e),st=e=>$("PUT","/api/v1/account/mail",e),xe=e=>$("PATCH","/api/v1/account/mail",{recovers:e}),rt=()=>$("DELETE","/api/v1/account/mail"),it=e=>$("POST","/api/v1/account/mail/confirm",e),pe=()=>$("POST","/api/v1/account/code"),ke=e=>$("POST","/api/v1/session/prove",e),at=()=>$("GET","/api/v1/sessions"),ct=e=>$("DELETE",`/api/v1/sessions/${encodeURIComponent(e)}`);var ue=()=>$("GET","/api/v1/blocks");var lt=e=>$("DELETE",`/api/v1/blocks/${encodeURIComponent(e)}`);var dt=location.protocol==="https:",mt=`${dt?"__Host-":""}nothing-kept-${location.port}`,ft=3600;function Ae(e){document.cookie=`${mt}=1; path=/; max-age=${e}; samesite=lax${dt?"; secure":""}`}var pt=()=>document.cookie.split("; ").includes(`${mt}=1`);function lo(){try{if(!navigator.cookieEnabled||pt())return!1;Ae(ft);let e=pt();return Ae(0),e}catch{return!1}}var de=null,ht=()=>de===!1,yt=()=>new g("nothing_kept","the browser keeps nothing for this site"),ut=!1,po=!1;async function me(){if(de??=lo(),!de)throw yt();ut&&!po&&await mo();let e=await Ke();return ut=!0,R(e.player),e}var uo=!1;addEventListener("leaving",e=>{uo=e.detail});async function Q(e){dispatchEvent(new CustomEvent("leaving",{detail:!0}));try{return await e()}catch(t){throw dispatchEvent(new CustomEvent("leaving",{detail:!1})),t}}function R(e){dispatchEvent(new CustomEvent("visitor",{detail:e}))}async function mo(){try{await ue()}catch(e){if(!(e instanceof g&&e.code==="no_session"))return;throw de=!1,Ae(ft),yt()}}var Ne=globalThis,$t=e=>e,fe=Ne.trustedTypes,wt=fe?fe.createPolicy("lit-html",{createHTML:e=>e}):void 0,kt="$lit$",H=`lit$${Math.random().toFixed(9).slice(2)}$`,At="?"+H,fo=`<${At}>`,W=document,ee=()=>W.createComment(""),te=e=>e===null||typeof e!="object"&&typeof e!="function",Oe=Array.isArray,ho=e=>Oe(e)||typeof e?.[Symbol.iterator]=="function",Se=`[ 	
\f\r]`,X=/<(?:(!--|\/[^a-zA-Z])|(\/?[a-zA-Z][^>\s]*)|(\/?$))/g,gt=/-->/g,bt=/>/g,D=RegExp(`>|${Se}(?:([^\\s"'>=/]+)(${Se}*=${Se}*(?:[^ 	
\f\r"'\`<>=]|("|')|))|$)`,"g"),vt=/'/g,_t=/"/g,St=/^(?:script|style|textarea|title)$/i,Ce=e=>(t,...o)=>({_$litType$:e,strings:t,values:o}),c=Ce(1),I=Ce(2),rn=Ce(3),G=Symbol.for("lit-noChange"),d=Symbol.for("lit-nothing"),xt=new WeakMap,B=W.createTreeWalker(W,129);function Et(e,t){if(!Oe(e)||!e.hasOwnProperty("raw"))throw Error("invalid template strings array");return wt!==void 0?wt.createHTML(t):t}var yo=(e,t)=>{let o=e.length-1,n=[],s,i=t===2?"<svg>":t===3?"<math>":"",a=X;for(let p=0;p<o;p++){let l=e[p],u,m,f=-1,v=0;for(;v<l.length&&(a.lastIndex=v,m=a.exec(l),m!==null);)v=a.lastIndex,a===X?m[1]==="!--"?a=gt:m[1]!==void 0?a=bt:m[2]!==void 0?(St.test(m[2])&&(s=RegExp("</"+m[2],"g")),a=D):m[3]!==void 0&&(a=D):a===D?m[0]===">"?(a=s??X,f=-1):m[1]===void 0?f=-2:(f=a.lastIndex-m[2].length,u=m[1],a=m[3]===void 0?D:m[3]==='"'?_t:vt):a===_t||a===vt?a=D:a===gt||a===bt?a=X:(a=D,s=void 0);let k=a===D&&e[p+1].startsWith("/>")?" ":"";i+=a===X?l+fo:f>=0?(n.push(u),l.slice(0,f)+kt+l.slice(f)+H+k):l+H+(f===-2?p:k)}return[Et(e,i+(e[o]||"<?>")+(t===2?"</svg>":t===3?"</math>":"")),n]},oe=class e{constructor({strings:t,_$litType$:o},n){let s;this.parts=[];let i=0,a=0,p=t.length-1,l=this.parts,[u,m]=yo(t,o);if(this.el=e.createElement(u,n),B.currentNode=this.el.content,o===2||o===3){let f=this.el.content.firstChild;f.replaceWith(...f.childNodes)}for(;(s=B.nextNode())!==null&&l.length<p;){if(s.nodeType===1){if(s.hasAttributes())for(let f of s.getAttributeNames())if(f.endsWith(kt)){let v=m[a++],k=s.getAttribute(f).split(H),h=/([.?@])?(.*)/.exec(v);l.push({type:1,index:i,name:h[2],strings:k,ctor:h[1]==="."?Te:h[1]==="?"?Pe:h[1]==="@"?Ie:J}),s.removeAttribute(f)}else f.startsWith(H)&&(l.push({type:6,index:i}),s.removeAttribute(f));if(St.test(s.tagName)){let f=s.textContent.split(H),v=f.length-1;if(v>0){s.textContent=fe?fe.emptyScript:"";for(let k=0;k<v;k++)s.append(f[k],ee()),B.nextNode(),l.push({type:2,index:++i});s.append(f[v],ee())}}}else if(s.nodeType===8)if(s.data===At)l.push({type:2,index:i});else{let f=-1;for(;(f=s.data.indexOf(H,f+1))!==-1;)l.push({type:7,index:i}),f+=H.length-1}i++}}static createElement(t,o){let n=W.createElement("template");return n.innerHTML=t,n}};function z(e,t,o=e,n){if(t===G)return t;let s=n!==void 0?o._$Co?.[n]:o._$Cl,i=te(t)?void 0:t._$litDirective$;return s?.constructor!==i&&(s?._$AO?.(!1),i===void 0?s=void 0:(s=new i(e),s._$AT(e,o,n)),n!==void 0?(o._$Co??=[])[n]=s:o._$Cl=s),s!==void 0&&(t=z(e,s._$AS(e,t.values),s,n)),t}var Ee=class{constructor(t,o){this._$AV=[],this._$AN=void 0,this._$AD=t,this._$AM=o}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}u(t){let{el:{content:o},parts:n}=this._$AD,s=(t?.creationScope??W).importNode(o,!0);B.currentNode=s;let i=B.nextNode(),a=0,p=0,l=n[0];for(;l!==void 0;){if(a===l.index){let u;l.type===2?u=new ne(i,i.nextSibling,this,t):l.type===1?u=new l.ctor(i,l.name,l.strings,this,t):l.type===6&&(u=new Me(i,this,t)),this._$AV.push(u),l=n[++p]}a!==l?.index&&(i=B.nextNode(),a++)}return B.currentNode=W,s}p(t){let o=0;for(let n of this._$AV)n!==void 0&&(n.strings!==void 0?(n._$AI(t,n,o),o+=n.strings.length-2):n._$AI(t[o])),o++}},ne=class e{get _$AU(){return this._$AM?._$AU??this._$Cv}constructor(t,o,n,s){this.type=2,this._$AH=d,this._$AN=void 0,this._$AA=t,this._$AB=o,this._$AM=n,this.options=s,this._$Cv=s?.isConnected??!0}get parentNode(){let t=this._$AA.parentNode,o=this._$AM;return o!==void 0&&t?.nodeType===11&&(t=o.parentNode),t}get startNode(){return this._$AA}get endNode(){return this._$AB}_$AI(t,o=this){t=z(this,t,o),te(t)?t===d||t==null||t===""?(this._$AH!==d&&this._$AR(),this._$AH=d):t!==this._$AH&&t!==G&&this._(t):t._$litType$!==void 0?this.$(t):t.nodeType!==void 0?this.T(t):ho(t)?this.k(t):this._(t)}O(t){return this._$AA.parentNode.insertBefore(t,this._$AB)}T(t){this._$AH!==t&&(this._$AR(),this._$AH=this.O(t))}_(t){this._$AH!==d&&te(this._$AH)?this._$AA.nextSibling.data=t:this.T(W.createTextNode(t)),this._$AH=t}$(t){let{values:o,_$litType$:n}=t,s=typeof n=="number"?this._$AC(t):(n.el===void 0&&(n.el=oe.createElement(Et(n.h,n.h[0]),this.options)),n);if(this._$AH?._$AD===s)this._$AH.p(o);else{let i=new Ee(s,this),a=i.u(this.options);i.p(o),this.T(a),this._$AH=i}}_$AC(t){let o=xt.get(t.strings);return o===void 0&&xt.set(t.strings,o=new oe(t)),o}k(t){Oe(this._$AH)||(this._$AH=[],this._$AR());let o=this._$AH,n,s=0;for(let i of t)s===o.length?o.push(n=new e(this.O(ee()),this.O(ee()),this,this.options)):n=o[s],n._$AI(i),s++;s<o.length&&(this._$AR(n&&n._$AB.nextSibling,s),o.length=s)}_$AR(t=this._$AA.nextSibling,o){for(this._$AP?.(!1,!0,o);t!==this._$AB;){let n=$t(t).nextSibling;$t(t).remove(),t=n}}setConnected(t){this._$AM===void 0&&(this._$Cv=t,this._$AP?.(t))}},J=class{get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}constructor(t,o,n,s,i){this.type=1,this._$AH=d,this._$AN=void 0,this.element=t,this.name=o,this._$AM=s,this.options=i,n.length>2||n[0]!==""||n[1]!==""?(this._$AH=Array(n.length-1).fill(new String),this.strings=n):this._$AH=d}_$AI(t,o=this,n,s){let i=this.strings,a=!1;if(i===void 0)t=z(this,t,o,0),a=!te(t)||t!==this._$AH&&t!==G,a&&(this._$AH=t);else{let p=t,l,u;for(t=i[0],l=0;l<i.length-1;l++)u=z(this,p[n+l],o,l),u===G&&(u=this._$AH[l]),a||=!te(u)||u!==this._$AH[l],u===d?t=d:t!==d&&(t+=(u??"")+i[l+1]),this._$AH[l]=u}a&&!s&&this.j(t)}j(t){t===d?this.element.removeAttribute(this.name):this.element.setAttribute(this.name,t??"")}},Te=class extends J{constructor(){super(...arguments),this.type=3}j(t){this.element[this.name]=t===d?void 0:t}},Pe=class extends J{constructor(){super(...arguments),this.type=4}j(t){this.element.toggleAttribute(this.name,!!t&&t!==d)}},Ie=class extends J{constructor(t,o,n,s,i){super(t,o,n,s,i),this.type=5}_$AI(t,o=this){if((t=z(this,t,o,0)??d)===G)return;let n=this._$AH,s=t===d&&n!==d||t.capture!==n.capture||t.once!==n.once||t.passive!==n.passive,i=t!==d&&(n===d||s);s&&this.element.removeEventListener(this.name,this,n),i&&this.element.addEventListener(this.name,this,t),this._$AH=t}handleEvent(t){typeof this._$AH=="function"?this._$AH.call(this.options?.host??this.element,t):this._$AH.handleEvent(t)}},Me=class{constructor(t,o,n){this.element=t,this.type=6,this._$AN=void 0,this._$AM=o,this.options=n}get _$AU(){return this._$AM._$AU}_$AI(t){z(this,t)}};var $o=Ne.litHtmlPolyfillSupport;$o?.(oe,ne),(Ne.litHtmlVersions??=[]).push("3.3.3");var b=(e,t,o)=>{let n=o?.renderBefore??t,s=n._$litPart$;if(s===void 0){let i=o?.renderBefore??null;n._$litPart$=s=new ne(t.insertBefore(ee(),i),i,void 0,o??{})}return s._$AI(e),s};var Le=Object.getPrototypeOf(b(d,document.createDocumentFragment())),Tt=Le._$AC(c`<p>${d}</p>`).constructor,{_$AI:wo}=Le;Le._$AI=function(e,...t){let o=this._$AH;(typeof o=="string"||typeof o=="number")&&e!==o&&e!==G&&!(this.startNode.nextSibling instanceof Text)&&(this._$AR(),this._$AH=d),wo.call(this,e,...t)};var{createElement:go}=Tt;Tt.createElement=(e,t)=>{let o=go(e,t),n=document.createTreeWalker(o.content,NodeFilter.SHOW_COMMENT);for(;n.nextNode();){let{currentNode:s}=n;s.nextSibling instanceof Text&&(s.after(document.createComment("")),n.nextNode())}return o};async function Pt(e,t){for(let o=0,n=500;;o++,n=Math.min(2*n,15e3))try{let s=await t(o);return dispatchEvent(new CustomEvent("partloaded",{detail:e})),s}catch{dispatchEvent(new CustomEvent("partmissing",{detail:e})),await new Promise(s=>setTimeout(s,n))}}var bo=/[\u061c\u200f\u202a-\u202e\u2066-\u2069\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u,vo=e=>bo.test(e)?`⁨${e}⁩`:e;function _o(e,t){let o=new Intl.PluralRules(e),n=new Intl.NumberFormat(e);return(s,i={})=>{let a=t[s];return a===void 0?s:(typeof a=="string"?a:a[o.select(Number(i.n))]??a.other).replace(/\{(\w+)\}/g,(l,u)=>{let m=i[u]??"";return typeof m=="number"?n.format(m):vo(m)})}}function Re(){return document.documentElement.lang==="fr"?"fr":"en"}function he(e){let{href:t}=document.getElementById("words");return Pt("words",async()=>{let o=await fetch(e??t);if(!o.ok)throw new Error(`${o.status}`);return _o(Re(),await o.json())})}var He=new Map;function j(e){try{return He.get(e)??localStorage.getItem(e)}catch{return null}}function se(e,t){He.delete(e);try{if(localStorage.setItem(e,t),localStorage.getItem(e)===t)return}catch{}He.set(e,t)}var xo=[{game:"fibonacci",rulesets:["fibonacci","fibonacci-mixed","fibonacci-cards"],first:"black",second:"white"},{game:"fenix",rulesets:["fenix"],first:"red",second:"blue"},{game:"focus",rulesets:["focus","focus-classic"],first:"white",second:"black"},{game:"crossfire",rulesets:["crossfire"],first:"white",second:"black"}],gn=xo.flatMap(({rulesets:e})=>e),V=Re(),y=await he(),It=x("favicon"),{href:bn}=It,vn=It.dataset.turn??"";var ko=300,Ao={polite:{timer:0,last:"",waiting:[]},assertive:{timer:0,last:"",waiting:[]}};function K(e,t="polite"){let o=Ao[t];o.waiting.includes(e)||o.waiting.push(e),clearTimeout(o.timer),o.timer=window.setTimeout(()=>{let n=o.waiting.join(" ");o.waiting=[],n===o.last&&(n+=" "),o.last=n,x(t).textContent=n},ko)}function P(e){if(!(e instanceof g))throw e;let t=e.code==="no_session"&&ht()?"nothing_kept":e.code;if(t==="too_fast"&&e.retryS>1)return y("refusal.wait",{when:Eo(e.retryS)});let o=`refusal.${t}`,n=y(o);return n===o?y("refusal.other",{code:t}):n}var So=new Intl.RelativeTimeFormat(V);function Eo(e){let[t,o]=e<100?[1,"second"]:e<6e3?[60,"minute"]:[3600,"hour"];return So.format(Math.ceil(e/t),o)}var Mt=e=>y(`ruleset.${e}`);var Nt=e=>new Intl.ListFormat(V,{type:"conjunction"}).format(e),Ot=()=>matchMedia("(pointer: coarse)").matches?"touch":"keys";function x(e){let t=document.getElementById(e);if(t===null)throw new Error(`the page has no element #${e}`);return t}var To={close:I`<path d="m6 6 12 12M18 6 6 18"/>`,undo:I`<path d="M8.5 5 4.5 9l4 4M5 9h9a5.5 5.5 0 0 1 0 11h-4"/>`,restart:I`<path d="M5 12a7 7 0 1 1 2.2 5.1M5 17.5V13h4.5"/>`,check:I`<path d="m5 12.5 4.5 4.5L19 7.5"/>`,flip:I`<path d="M8 4v15m0 0-3.5-3.5M8 19l3.5-3.5M16 20V5m0 0-3.5 3.5M16 5l3.5 3.5"/>`,eye:I`<path d="M2.5 12c4.5-7.3 14.5-7.3 19 0-4.5 7.3-14.5 7.3-19 0Z"/><circle cx="12" cy="12" r="2.8"/>`,copy:I`<rect x="8.5" y="8.5" width="11" height="11" rx="2"/><path d="M15.5 5.5a1 1 0 0 0-1-1h-9a1 1 0 0 0-1 1v9a1 1 0 0 0 1 1"/>`,share:I`<path d="M12 15.5v-11m0 0-4 4m4-4 4 4M5 13.5v6h14v-6"/>`,stack:I`<ellipse cx="12" cy="7" rx="7.5" ry="3"/><path d="M4.5 7v5c0 1.66 3.36 3 7.5 3s7.5-1.34 7.5-3V7M4.5 12v5c0 1.66 3.36 3 7.5 3s7.5-1.34 7.5-3v-5"/>`,download:I`<path d="M12 4v11m0 0-4-4m4 4 4-4M5 19.5h14"/>`},Po=e=>c`<svg class="ic" viewBox="0 0 24 24" aria-hidden="true" focusable="false">${e}</svg>`,C=e=>Po(To[e]);var Fe=null;function ye(e,t,{isHeld:o}={isHeld:!1}){if(Fe?.open)return null;Fe?.remove();let n=document.createElement("dialog");return n.setAttribute("aria-labelledby","dialog-title"),b(c`<header class="dialog-head">
        <h2 id="dialog-title">${e}</h2>
        ${o?d:c`<button class="quiet icon" aria-label=${y("page.close")} @click=${()=>n.close()}>${C("close")}</button>`}
      </header>
      ${t}`,n),n.addEventListener("click",s=>s.target===n&&!o&&n.close()),n.addEventListener("close",()=>n.remove()),o&&(n.setAttribute("closedby","none"),n.addEventListener("cancel",s=>s.preventDefault())),Fe=n,document.body.append(n),n.showModal(),n}function Io(e){return e(),new Promise(t=>{addEventListener("pagehide",t,{once:!0}),setTimeout(t,3e4)})}var re=()=>Io(()=>location.reload());var Ct=e=>/^(Guest|Invité) \d+$/.test(e);var Mo=/[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;var S=e=>e.replace(Mo,"").replace(/\s+/g," ").trim();var r=await he(x("top").dataset.visitorWords);async function Lt(e){let t=null,o=null;i(),await n(async()=>{t=(await ue()).players});async function n(a){o=null;try{await a()}catch(p){o=P(p)}i()}let s=({id:a,name:p})=>n(async()=>{await lt(a),t=(t??[]).filter(l=>l.id!==a),K(r("blocks.unblocked",{name:p})),e.focus()});function i(){let a=(t??[]).map(p=>c`<li><bdi>${p.name}</bdi>
        <button aria-label=${r("blocks.unblock_named",{name:p.name})} @click=${()=>s(p)}>${r("blocks.unblock")}</button></li>`);b(c`<h3 id="blocks-title">${r("blocks.title")}</h3>
        <p>${t?.length===0?r("blocks.none"):r("blocks.lead")}</p>
        ${a.length===0?d:c`<ul>${a}</ul>`}
        <p class="error" role="alert">${o}</p>`,e)}}var Rt=80,No=e=>`${e[0].toLocaleUpperCase()}${e.slice(1)}.`;function Oo(e,t){let o=e.split(`
`)[t-1]?.trim()??"";return o===""?"":y("record.found",{text:o.length>Rt?`${o.slice(0,Rt)}…`:o})}function Co(e){switch(e.code){case"expected":{let t=y(`flaw.what_${e.what}`);return e.field===null?y("flaw.expected",{what:t}):y("flaw.expected_in",{field:e.field,what:t})}case"position":return y("flaw.position",{n:e.at+1,rule:e.rule});case"illegal":case"incomplete":return y(`flaw.${e.code}`,{n:e.index+1,rule:e.rule});case"game_over":return y("flaw.game_over",{n:e.index+1});case"wrong_ending":return y("flaw.wrong_ending",{result:e.winner??"draw",reason:e.reason});case"newer_version":return y("flaw.newer_version",{version:String(e.version)});case"wrong_number":return y("flaw.wrong_number",{expected:String(e.expected)});default:return y(`flaw.${e.code}`,e)}}function Ht(e,t=""){let o=P(e);if(!(e instanceof g)||e.flaw===null)return c`${o}`;let{line:n,turn:s,flaw:i}=e,a=[...n===null?[]:[y("record.line",{n})],...s===null?[]:[y("record.turn",{n:s})]].join(", "),p=n===null?"":Oo(t,n);return c`${o} ${No(`${a}${a===""?"":y("page.colon")}${Co(i)}`)} ${p}`}async function $e(e,t,o){let n=e.querySelector('button:not([type="button"])'),s=e.querySelector('.error[role="alert"]');if(!n.hasAttribute("aria-disabled")){n.setAttribute("aria-disabled","true"),b(d,s);try{await t()}catch(i){b(Ht(i,o),s),s.scrollIntoView({block:"nearest"})}n.removeAttribute("aria-disabled")}}var ie=(e,t,o,n)=>c`<div class="field">
    <label for=${`${e}-field`}>${t}</label>
    ${n(`${e}-field`,`${e}-hint ${e}-error`)}
    <small id=${`${e}-hint`}>${o}</small>
    <p class="error" id=${`${e}-error`}></p>
  </div>`,L=(e,t,o,n=null)=>ie("name",e,n,(s,i)=>c`<input id=${s} name="name" required maxlength="24" autocomplete=${o} autocapitalize="off"
      spellcheck="false" value=${t} aria-describedby=${i} />`),Ft=(e,t)=>ie("label",e,null,(o,n)=>c`<input id=${o} name="label" required maxlength="40" autocomplete="off" value=${t}
      aria-describedby=${n} />`),qt=e=>ie("code",e,null,(t,o)=>c`<input id=${t} name="code" required maxlength="40" autocomplete="off" autocapitalize="characters"
      spellcheck="false" aria-describedby=${o} />`),qe=e=>ie("address",e,null,(t,o)=>c`<input id=${t} name="address" type="email" required maxlength="254" autocomplete="email"
      aria-describedby=${o} />`),M=(e,t,o,n=null)=>{let s=o==="new-password";return ie(e,t,s?r("password.hint"):n,(i,a)=>c`<span class="secret">
      <input id=${i} name=${e} type="password" required minlength=${s?8:d} maxlength="128"
        autocomplete=${o} aria-describedby=${a} />
      <button type="button" class="quiet icon" aria-pressed="false" title=${r("password.show")} aria-label=${r("password.show")}
        @click=${Lo}>${C("eye")}</button>
    </span>`)};function Lo(e){let t=e.currentTarget,o=t.previousElementSibling,n=o.type==="text";o.type=n?"password":"text",t.setAttribute("aria-pressed",String(!n))}var we=({submitter:e})=>e instanceof HTMLButtonElement&&e.name==="passkey";async function E(e,t,o){e.preventDefault();let n=e.target;await $e(n,async()=>{for(let s of n.querySelectorAll("[aria-invalid]"))s.removeAttribute("aria-invalid"),x(s.id.replace(/field$/,"error")).textContent="";try{await o(Object.fromEntries(new FormData(n)))}catch(s){let i=s instanceof g?t[s.code]:void 0;if(i===void 0)throw s;let[a,p=P(s)]=i,l=x(`${a}-field`);x(`${a}-error`).textContent=p,l.setAttribute("aria-invalid","true"),l.focus()}})}function T(e,t,o){return document.querySelector("dialog[open]")?.close(),ye(e,t,o)}var{hostname:Ue}=location,Ro=/^[\d.]+$|^\[/.test(Ue),F=!Ro&&"parseCreationOptionsFromJSON"in(globalThis.PublicKeyCredential??{}),Y=()=>{if(!["127.0.0.1","[::1]"].includes(Ue))return d;let e=new URL(location.href);return e.hostname="localhost",c`<p><small>${r("passkey.elsewhere")} <a href=${e.href}>${e.host}</a></small></p>`};async function ge(e){let t=await _e(e);return Ut("passkey_not_made",t.rp.id,()=>navigator.credentials.create({publicKey:PublicKeyCredential.parseCreationOptionsFromJSON(t)}))}async function be(e){let t=await _e(e);return Ut("passkey_not_used",t.rpId,()=>navigator.credentials.get({publicKey:PublicKeyCredential.parseRequestOptionsFromJSON(t)}))}async function ve(e){try{return await e()}catch(t){throw t instanceof g&&t.code==="wrong_credentials"?new g("passkey_unknown",t.detail):t}}var Ho={InvalidStateError:"passkey_there",ConstraintError:"passkey_unable",NotSupportedError:"passkey_unable",SecurityError:"passkey_elsewhere"};async function Ut(e,t,o){if(t!==Ue)throw new g("passkey_elsewhere",String(t));try{return(await o()).toJSON()}catch(n){throw n instanceof DOMException?new g(Ho[n.name]??e,n.message):n}}var N=e=>c`<input name="username" autocomplete="username" value=${e} hidden />
  <div class="proof"></div>`,O=(e,t,o)=>E(e,{...t,wrong_credentials:["proof",r("password.wrong")]},async n=>{n.proof!==void 0&&await ke({password:n.proof});try{await o(n)}catch(s){if(!(s instanceof g&&s.code==="prove_again"))throw s;await qo(e.target);return}De()});async function Fo(e){let t=!1;await $e(e,async()=>{let o=await be({purpose:"prove"});await ve(()=>ke({passkey:o})),t=!0}),t&&(De(),e.requestSubmit())}function De(){for(let e of document.querySelectorAll(".proof"))b(d,e)}async function qo(e){let[{has_password:t},{passkeys:o}]=await Promise.all([U(),le()]);De();let n=e.querySelector(".proof");b(c`${t?M("proof",r("password.current"),"current-password",r("password.prove")):c`<p>${r("password.prove")}</p>`}
      ${F&&o.length>0?c`<button type="button" @click=${()=>Fo(e)}>${r("passkey.prove")}</button>`:d}`,n),n.querySelector("input, button")?.focus()}var Bt=()=>({invalid_body:["address",r("mail.wrong")]});function Wt({player:{name:e},mail:t},o){return c`<form aria-labelledby="mail-title" @submit=${s=>O(s,Bt(),async i=>{let a=S(i.address);await st({address:a}),s.target.reset(),o(r("mail.sent",{address:a}))})}>
      <h3 id="mail-title">${r("mail.title")}</h3>
      <p>${t===void 0?r("mail.lead"):r("mail.current",{address:t.address})}</p>
      ${qe(r(t===void 0?"mail.label":"mail.new"))}
      ${N(e)}
      <p class="error" role="alert"></p>
      <button>${r("mail.submit")}</button>
    </form>
    ${t===void 0?d:[Dt(e,...Uo(t.recovers),o),Dt(e,rt,"mail.remove","mail.removed",o)]}`}var Uo=e=>e?[()=>xe(!1),"mail.forbid","mail.forbidden"]:[()=>xe(!0),"mail.allow","mail.allowed"];function Dt(e,t,o,n,s){let i=a=>O(a,{},async()=>{await t(),s(r(n))});return c`<form aria-label=${r(o)} @submit=${i}>
    ${N(e)}
    <p class="error" role="alert"></p>
    <button>${r(o)}</button>
  </form>`}function Gt(e){T(r("mail.confirm_title"),c`<form @submit=${t}>
      <p>${r("mail.confirm_lead")}</p>
      <p class="error" role="alert"></p>
      <button class="primary">${r("mail.confirm_submit")}</button>
    </form>`);function t(o){return E(o,{},async()=>{await it({link:e}),Vt(r("mail.confirm_title"),r("mail.confirmed"))})}}function jt(e){T(r("recovery.by_mail"),c`<form @submit=${t}>
      <p>${r("recovery.mail_lead")}</p>
      ${L(r("signin.name"),e,"username")}
      ${qe(r("mail.label"))}
      <p class="error" role="alert"></p>
      <button class="primary">${r("recovery.mail_submit")}</button>
    </form>`);function t(o){return E(o,Bt(),async({name:n,address:s})=>{await nt({name:S(n),mail:S(s)}),Vt(r("recovery.by_mail"),r("recovery.mail_sent"))})}}function Vt(e,t){T(e,c`<p class="done" tabindex="-1">${t}</p>`).querySelector(".done").focus()}function Kt(e,t){let o=document.createElement("a");o.href=URL.createObjectURL(new Blob([t],{type:"text/plain"})),o.download=e,o.click(),setTimeout(()=>URL.revokeObjectURL(o.href))}function Z({player:e,recovery_code:t=""},o,n){let s=r("recovery.file",{name:e.name,host:location.host}),i=T(r("recovery.show_title"),c`<form @submit=${l}>
      <p>${o}</p>
      <p class="recovery-code" id="recovery-code" tabindex="-1" translate="no">${t.split("-").map(u=>c`<span>${u}</span> `)}</p>
      <p><small>${s}</small></p>
      <p class="ways">
        <button type="button" @click=${a}>${C("copy")} ${r("recovery.copy")}</button>
        <button type="button" @click=${p}>${C("download")} ${r("recovery.download")}</button>
        <button type="button" @click=${()=>print()}>${r("recovery.print")}</button>
      </p>
      <p id="recovery-status" role="status"></p>
      <button class="primary">${r("recovery.kept")}</button>
    </form>`,{isHeld:!0});x("recovery-code").focus();async function a(){try{await navigator.clipboard.writeText(t),x("recovery-status").textContent=r("recovery.copied")}catch{getSelection()?.selectAllChildren(x("recovery-code")),x("recovery-status").textContent=r(`recovery.by_${Ot()}`)}}function p(){Kt("towers-recovery-code.txt",`${s}

${t}
`)}function l(u){u.preventDefault(),i.close(),n()}}function zt(e){T(r("register.title"),c`<form @submit=${Bo}>
      <p>${r("register.lead")}</p>
      ${L(r("register.name"),e,"username",r("register.name_hint"))}
      ${M("password",r("password.label"),"new-password")}
      <p class="error" role="alert"></p>
      <button class="primary">${r("register.submit")}</button>
      ${F?Do():Y()}
    </form>`).querySelector("input")?.focus()}var Do=()=>c`<p><small id="passkey-lead">${r("passkey.instead")}</small></p>
    <button name="passkey" formnovalidate aria-describedby="passkey-lead">${r("passkey.register")}</button>`,Bo=e=>E(e,{name_taken:["name"],invalid_body:["name"],weak_password:["password"]},async t=>{let o=S(t.name),n=we(e)?{passkey:await ge({purpose:"register",name:o})}:{password:t.password},s=await Je({name:o,...n});R(s.player),Z(s,r("recovery.why"),()=>K(r("register.done",{name:s.player.name})))});var Jt=new Intl.DateTimeFormat(V,{dateStyle:"medium",timeZone:"UTC"});async function Yt(e,t){let o=[],n=null,s="",i=null;f();try{({passkeys:o}=await le())}catch(h){i=P(h)}f();function a(h,_){[o,s,n]=[h,_,null],f(),e.focus()}function p(h){return O(h,{},async()=>{let _=await ge({purpose:"add"});a((await Qe({passkey:_})).passkeys,r("passkey.added"))})}let l=h=>_=>E(_,{invalid_body:["label",r("passkey.label_wrong")]},async q=>{let{passkeys:w}=await Xe(h,{label:S(q.label)});a(w,r("passkey.renamed"))}),u=h=>_=>O(_,{},async()=>{await et(h),a(o.filter(q=>q.id!==h),r("passkey.removed"))});function m(h){n=n===h?null:h,f()}function f(){let h=c`<form @submit=${p}>
        ${N(t)}
        <p class="error" role="alert"></p>
        <button>${r("passkey.add")}</button>
      </form>`;b(c`<h3 id="passkeys-title">${r("passkey.title")}</h3>
        <p>${r("passkey.lead")}</p>
        <p role="status">${s}</p>
        ${o.length===0?d:c`<ul>${o.map(v)}</ul>`}
        <p class="error" role="alert">${i}</p>
        ${F?h:Y()}`,e)}function v({id:h,label:_,created_ms:q,used_ms:w}){let A=_??r("passkey.unnamed"),ro={made:Jt.format(q),used:Jt.format(w)};return c`<li>
      <span><bdi>${A}</bdi> <small>${r("passkey.days",ro)}</small></span>
      <button aria-expanded=${n===h} aria-label=${r("passkey.change_named",{label:A})} @click=${()=>m(h)}>${r("passkey.change")}</button>
      ${n===h?k(h,A):d}
    </li>`}let k=(h,_)=>c`<form @submit=${l(h)}>
        ${Ft(r("passkey.label"),_)}
        <p class="error" role="alert"></p>
        <button>${r("rename.submit")}</button>
      </form>
      <form @submit=${u(h)}>
        <p>${r("passkey.remove_lead")}</p>
        ${N(t)}
        <p class="error" role="alert"></p>
        <button>${r("passkey.remove")}</button>
      </form>`}async function ae(e){await Q(()=>$("DELETE",`/api/v1/${e}`)),se("left",j("account")??""),se("name",""),await re()}var Wo=new Intl.DateTimeFormat(V,{dateStyle:"medium",timeZone:"UTC"});function Be(e,t){let{name:o}=e.player,n=[],s=!0,i="",a=null,l=T(r("security.title"),c`<div></div>`).querySelector("div");async function u(w){a=null,_();try{await w?.(),[{sessions:n},{has_password:s}]=await Promise.all([at(),U()])}catch(A){a=P(A)}_()}let m=w=>u(async()=>{for(let{id:A}of w)await Go(A);i=r("sessions.ended",{n:w.length}),l.querySelector(".sessions").focus()}),f=w=>O(w,{weak_password:["password"]},async({password:A})=>{await ce({password:A}),w.target.reset(),i=r("password.done"),u()});async function v(w){i=w,u(async()=>{e=await U()})}let k=w=>O(w,{},async()=>Z(await pe(),r("recovery.why"),()=>Be(e,t))),h=w=>O(w,{},()=>ae("account"));function _(){let w=n.filter(({is_current:A})=>!A);b(c`<p role="status">${i}</p>
        <form aria-labelledby="password-title" @submit=${f}>
          <h3 id="password-title">${r(s?"password.title":"password.title_first")}</h3>
          ${M("password",r("password.new"),"new-password")}
          ${N(o)}
          <p class="error" role="alert"></p>
          <button class="primary">${r("password.submit")}</button>
        </form>
        <section class="list passkeys" aria-labelledby="passkeys-title" tabindex="-1"></section>
        ${t?Wt(e,v):d}
        <section class="list sessions" aria-labelledby="sessions-title" tabindex="-1">
          <h3 id="sessions-title">${r("sessions.title")}</h3>
          <ul>${n.map(q)}</ul>
          <p class="error" role="alert">${a}</p>
          <p class="ways">
            ${w.length===0?d:c`<button @click=${()=>m(w)}>${r("sessions.end_others")}</button>`}
            <button @click=${()=>u(()=>ae("sessions"))}>${r("sessions.end_all")}</button>
          </p>
        </section>
        <form aria-labelledby="code-title" @submit=${k}>
          <h3 id="code-title">${r("recovery.code")}</h3>
          <p>${r("recovery.renew_lead")}</p>
          ${N(o)}
          <p class="error" role="alert"></p>
          <button>${r("recovery.renew")}</button>
        </form>
        <form class="last" aria-labelledby="close-title" @submit=${h}>
          <h3 id="close-title">${r("close.title")}</h3>
          <p>${r("close.lead")}</p>
          <label class="sure"><input type="checkbox" required /> ${r("close.sure")}</label>
          ${N(o)}
          <p class="error" role="alert"></p>
          <button class="danger">${r("close.submit")}</button>
        </form>`,l)}u(),Yt(l.querySelector(".passkeys"),o);function q(w){let A=w.label??r("sessions.unknown");return c`<li>
      <span>${A} <small>${r("sessions.used",{day:Wo.format(w.used_ms)})}</small></span>
      ${w.is_current?c`<strong>${r("sessions.this")}</strong>`:c`<button aria-label=${r("sessions.end_named",{label:A})} @click=${()=>m([w])}>${r("sessions.end")}</button>`}
    </li>`}}async function Go(e){try{await ct(e)}catch(t){if(!(t instanceof g&&t.code==="no_such_resource"))throw t}}function We(e){let t=null,o=T(r("signin.title"),c`<form @submit=${n}>
      ${L(r("signin.name"),e,"username")}
      ${M("password",r("password.label"),"current-password")}
      <p class="error" role="alert"></p>
      <p class="ways">
        <button class="primary">${r("signin.submit")}</button>
        <button type="button" class="quiet" @click=${s}>${r("signin.lost")}</button>
      </p>
      ${F?c`<button name="passkey" formnovalidate>${r("passkey.signin")}</button>`:Y()}
      ${je()}
    </form>`);o.querySelector(e===""?"input":'[name="password"]')?.focus();function n(i){return Ge(i,{wrong_credentials:["password"]},async(a,p)=>{let l=t!==null&&p.reopen;we(i)||l?t=await be({purpose:"sign_in"}):to(i)||(t=null);let u=t,m=S(a.name),{player:f}=await Q(()=>u===null?Ye({name:m,password:a.password,...p}):ve(()=>Ze({passkey:u,...p})));R(f),await re()})}async function s(){let{value:i}=o.querySelector("input");Vo(i,await jo())}}async function jo(){try{return(await me()).mail}catch{return!1}}function Vo(e,t){let o=T(r("recovery.title"),c`<form @submit=${s}>
      <p>${r("recovery.lead")}</p>
      ${L(r("signin.name"),e,"username")}
      ${qt(r("recovery.code"))}
      ${M("password",r("password.new"),"new-password")}
      <p class="error" role="alert"></p>
      <p class="ways">
        <button class="primary">${r("recovery.submit")}</button>
        ${t?c`<button type="button" class="quiet" @click=${n}>${r("recovery.by_mail")}</button>`:d}
      </p>
      ${je()}
    </form>`);o.querySelector(e===""?"input":'[name="code"]')?.focus();function n(){jt(o.querySelector("input").value)}function s(i){let a=["code",r("recovery.wrong")];return Ge(i,{wrong_credentials:a,invalid_body:a,weak_password:["password"]},async({name:l,code:u,password:m},f)=>{let v={code:S(u),password:m};await Xt(()=>tt({name:S(l),...v,...f}))})}}function Qt(e){T(r("recovery.link_title"),c`<form @submit=${o}>
      <p>${r("recovery.link_lead")}</p>
      ${M("password",r("password.new"),"new-password")}
      <p class="error" role="alert"></p>
      <button class="primary">${r("recovery.submit")}</button>
      ${je()}
    </form>`).querySelector("input")?.focus();function o(n){return Ge(n,{weak_password:["password"]},({password:s},i)=>Xt(()=>ot({link:e,password:s,...i})))}}async function Xt(e){let{player:t,mail:o}=await Q(e);R(t);let n=[r("recovery.why_next")];o!==void 0&&!o.recovers&&n.push(r("recovery.mail_off",{address:o.address})),Z(await pe(),n.join(" "),re)}var Ko={leave_guest:!1,reopen:!1},eo=new WeakMap,Ge=(e,t,o)=>E(e,t,async n=>{let i=e.target.querySelector(".question"),a=to(e)&&eo.get(i)||Ko;try{await o(n,a)}catch(p){if(!(p instanceof g))throw p;let{code:l,games:u}=p;if(l==="guest_has_games")Zt(i,{...a,leave_guest:!0},zo(u));else if(l==="account_closed")Zt(i,{...a,reopen:!0},Jo());else throw p}}),to=({submitter:e})=>e?.getAttribute("name")==="agree";function Zt(e,t,o){eo.set(e,t),b(o,e),e.focus()}var je=()=>c`<section class="question" aria-labelledby="question-title" tabindex="-1"></section>`,zo=e=>c`<h3 id="question-title">${r("signin.leave_title")}</h3>
    <p>${r("signin.leave")}</p>
    <ul>${e.map(t=>c`<li><a href=${`/game/${t.id}`}>${Yo(t)}</a></li>`)}</ul>
    <button class="danger" name="agree" formnovalidate>${r("signin.leave_submit")}</button>`,Jo=()=>c`<h3 id="question-title">${r("signin.closed_title")}</h3>
    <p>${r("signin.closed")}</p>
    <button class="primary" name="agree" formnovalidate>${r("signin.closed_submit")}</button>`;function Yo({ruleset:e,seats:t}){let o=t===null?y("lobby.your_room"):y("game.pair",{first:t.first.name,second:t.second.name});return`${Mt(e)}${y("page.colon")}${o}`}async function Ur(){let e=ye(r("visitor.title"),c`<div></div>
      <section class="list" aria-labelledby="blocks-title" tabindex="-1"></section>
      <div></div>`);if(e===null)return;let[t,o,n]=[...e.querySelectorAll("div, section")];j("account")||b(oo(e,j("name")??""),t);try{let{player:s,mail:i}=await me(),a=s.kind!=="account";b(a?oo(e,s.name):Zo(e,await U(),i),t),b(a?Qo:Xo,n),Lt(o)}catch(s){b(c`<p class="error" role="alert">${P(s)}</p>`,t)}}function Dr(e){let t=document.createElement("div");t.className="ended",b(c`<p>${r("ended.words")}</p>
      <button class="primary" @click=${()=>We(e)}>${r("signin.title")}</button>
      <button class="quiet icon" aria-label=${y("page.close")} @click=${()=>t.remove()}>${C("close")}</button>`,t),x("top").append(t),K(r("ended.words"))}function Br(e,t){e==="recover"?Qt(t):Gt(t)}var oo=(e,t)=>c`<p>${r("visitor.guest")}</p>
    <p class="ways">
      <button class="primary" @click=${()=>zt(Ct(t)?"":t)}>${r("register.title")}</button>
      <button @click=${()=>We("")}>${r("signin.title")}</button>
    </p>
    ${no(e,t,"nickname",null,async o=>(await ze({name:o})).player)}`,Zo=(e,t,o)=>c`<p>${r("visitor.account")}</p>
    <p class="ways"><button @click=${()=>Be(t,o)}>${r("security.title")}</button></p>
    ${no(e,t.player.name,"username",[r("rename.hint"),...t.former_names.length===0?[]:[r("rename.former",{names:Nt(t.former_names)})]].join(" "),async n=>(await ce({name:n})).player)}`;function no(e,t,o,n,s){return c`<form @submit=${a=>E(a,{name_taken:["name"],invalid_body:["name"]},async({name:p})=>{let l=await s(S(p));e.close(),K(r("rename.done",{name:l.name})),R(l)})}>
    ${L(r("rename.label"),t,o,n)}
    <p class="error" role="alert"></p>
    <button>${r("rename.submit")}</button>
  </form>`}var so=e=>E(e,{},()=>ae("session")),Qo=c`<details class="leave">
  <summary>${r("leave.title")}</summary>
  <form @submit=${so}>
    <p>${r("leave.lead")}</p>
    <p class="error" role="alert"></p>
    <button>${r("leave.title")}</button>
  </form>
</details>`,Xo=c`<form class="leave" @submit=${so}>
  <p class="error" role="alert"></p>
  <button>${r("leave.title")}</button>
</form>`;export{Ur as show,Dr as showEnded,Br as showLink};
/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */
