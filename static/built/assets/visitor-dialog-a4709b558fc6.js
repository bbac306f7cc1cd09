var no={steadyMs:()=>performance.now(),wallMs:()=>Date.now()};function so({steadyMs:e,wallMs:t}){let[o,n]=[-1/0,1/0],s=t()-e(),a=!1,i=e(),p=s;function l(){let d=t()-e()-p;p+=d,a?d>1e3&&(s=u()+d,[o,n]=[-1/0,1/0]):s=p}function u(){return o===-1/0?s:n===1/0?o:(o+n)/2}return{now(){return l(),e()+u()},learn(d,f){l();let v=e(),A=(v-i)*2e-4,[h,_]=[d-v,f===void 0?1/0:d-f];[o,n]=[Math.max(o-A,h),Math.min(n+A,_)],o>n&&([o,n]=[h,_]),[a,i]=[!0,v]}}}var Ve=so(no);var g=class extends Error{constructor(t,o,{line:n,turn:s,flaw:a,games:i,retryS:p}={}){super(`${t}: ${o}`),this.code=t,this.detail=o,this.line=n??null,this.turn=s??null,this.flaw=a??null,this.games=i??[],this.retryS=p??0}};async function $(e,t,o){let n={method:e,signal:AbortSignal.timeout(1e4)};if(o!==void 0){let u=typeof o=="string";n.body=u?o:JSON.stringify(o);let d=u&&!o.trimStart().startsWith("{")?"text/plain":"application/json";n.headers={"content-type":d}}let s,a;try{s=await fetch(t,n),ro(s),a=await s.text()}catch(u){throw new g("offline",String(u))}if(s.ok&&a==="")return;let i;try{i=JSON.parse(a)}catch(u){throw new g("unreadable",`${s.status} ${String(u)}`)}if(s.ok)return i;let p=i,l=Number(s.headers.get("retry-after"));throw new g(p.code??"unreadable",p.detail??String(s.status),{...p,retryS:l})}function ro({headers:e}){let t=Date.parse(e.get("date")??"");e.get("cache-control")?.includes("no-store")&&!Number.isNaN(t)&&Ve.learn(t)}var Ke=()=>$("POST","/api/v1/session"),ze=e=>$("PATCH","/api/v1/session",e),Je=e=>$("POST","/api/v1/account",e),D=()=>$("GET","/api/v1/account"),ie=e=>$("PATCH","/api/v1/account",e),Ye=e=>$("POST","/api/v1/session/password",e),_e=e=>$("POST","/api/v1/passkeys/options",e),Ze=e=>$("POST","/api/v1/session/passkey",e),ae=()=>$("GET","/api/v1/passkeys"),Qe=e=>$("POST","/api/v1/passkeys",e),Xe=(e,t)=>$("PATCH",`/api/v1/passkeys/${encodeURIComponent(e)}`,t),et=e=>$("DELETE",`/api/v1/passkeys/${encodeURIComponent(e)}`),tt=e=>$("POST","/api/v1/account/recover",e),ot=e=>$("POST","/api/v1/account/recover/link",e),nt=e=>$("POST","/api/v1/account/recover/mail",e),st=e=>$("PUT","/api/v1/account/mail",e),xe=e=>$("PATCH","/api/v1/account/mail",{recovers:e}),rt=()=>$("DELETE","/api/v1/account/mail"),it=e=>$("POST","/api/v1/account/mail/confirm",e),ce=()=>$("POST","/api/v1/account/code"),Ae=e=>$("POST","/api/v1/session/prove",e),at=()=>$("GET","/api/v1/sessions"),ct=e=>$("DELETE",`/api/v1/sessions/${encodeURIComponent(e)}`);var le=()=>$("GET","/api/v1/blocks");var lt=e=>$("DELETE",`/api/v1/blocks/${encodeURIComponent(e)}`);var mt=location.protocol==="https:",dt=`${mt?"__Host-":""}nothing-kept-${location.port}`,ft=3600;function ke(e){document.cookie=`${dt}=1; path=/; max-age=${e}; samesite=lax${mt?"; secure":""}`}var pt=()=>document.cookie.split("; ").includes(`${dt}=1`);function io(){try{if(!navigator.cookieEnabled||pt())return!1;ke(ft);let e=pt();return ke(0),e}catch{return!1}}var pe=null,ht=()=>pe===!1,yt=()=>new g("nothing_kept","the browser keeps nothing for this site"),ut=!1,ao=!1;async function ue(){if(pe??=io(),!pe)throw yt();ut&&!ao&&await lo();let e=await Ke();return ut=!0,R(e.player),e}var co=!1;addEventListener("leaving",e=>{co=e.detail});async function Z(e){dispatchEvent(new CustomEvent("leaving",{detail:!0}));try{return await e()}catch(t){throw dispatchEvent(new CustomEvent("leaving",{detail:!1})),t}}function R(e){dispatchEvent(new CustomEvent("visitor",{detail:e}))}async function lo(){try{await le()}catch(e){if(!(e instanceof g&&e.code==="no_session"))return;throw pe=!1,ke(ft),yt()}}var Ne=globalThis,$t=e=>e,me=Ne.trustedTypes,wt=me?me.createPolicy("lit-html",{createHTML:e=>e}):void 0,At="$lit$",H=`lit$${Math.random().toFixed(9).slice(2)}$`,kt="?"+H,po=`<${kt}>`,B=document,X=()=>B.createComment(""),ee=e=>e===null||typeof e!="object"&&typeof e!="function",Ce=Array.isArray,uo=e=>Ce(e)||typeof e?.[Symbol.iterator]=="function",Se=`[ 	
\f\r]`,Q=/<(?:(!--|\/[^a-zA-Z])|(\/?[a-zA-Z][^>\s]*)|(\/?$))/g,gt=/-->/g,bt=/>/g,U=RegExp(`>|${Se}(?:([^\\s"'>=/]+)(${Se}*=${Se}*(?:[^ 	
\f\r"'\`<>=]|("|')|))|$)`,"g"),vt=/'/g,_t=/"/g,St=/^(?:script|style|textarea|title)$/i,Oe=e=>(t,...o)=>({_$litType$:e,strings:t,values:o}),c=Oe(1),I=Oe(2),en=Oe(3),W=Symbol.for("lit-noChange"),m=Symbol.for("lit-nothing"),xt=new WeakMap,q=B.createTreeWalker(B,129);function Et(e,t){if(!Ce(e)||!e.hasOwnProperty("raw"))throw Error("invalid template strings array");return wt!==void 0?wt.createHTML(t):t}var mo=(e,t)=>{let o=e.length-1,n=[],s,a=t===2?"<svg>":t===3?"<math>":"",i=Q;for(let p=0;p<o;p++){let l=e[p],u,d,f=-1,v=0;for(;v<l.length&&(i.lastIndex=v,d=i.exec(l),d!==null);)v=i.lastIndex,i===Q?d[1]==="!--"?i=gt:d[1]!==void 0?i=bt:d[2]!==void 0?(St.test(d[2])&&(s=RegExp("</"+d[2],"g")),i=U):d[3]!==void 0&&(i=U):i===U?d[0]===">"?(i=s??Q,f=-1):d[1]===void 0?f=-2:(f=i.lastIndex-d[2].length,u=d[1],i=d[3]===void 0?U:d[3]==='"'?_t:vt):i===_t||i===vt?i=U:i===gt||i===bt?i=Q:(i=U,s=void 0);let A=i===U&&e[p+1].startsWith("/>")?" ":"";a+=i===Q?l+po:f>=0?(n.push(u),l.slice(0,f)+At+l.slice(f)+H+A):l+H+(f===-2?p:A)}return[Et(e,a+(e[o]||"<?>")+(t===2?"</svg>":t===3?"</math>":"")),n]},te=class e{constructor({strings:t,_$litType$:o},n){let s;this.parts=[];let a=0,i=0,p=t.length-1,l=this.parts,[u,d]=mo(t,o);if(this.el=e.createElement(u,n),q.currentNode=this.el.content,o===2||o===3){let f=this.el.content.firstChild;f.replaceWith(...f.childNodes)}for(;(s=q.nextNode())!==null&&l.length<p;){if(s.nodeType===1){if(s.hasAttributes())for(let f of s.getAttributeNames())if(f.endsWith(At)){let v=d[i++],A=s.getAttribute(f).split(H),h=/([.?@])?(.*)/.exec(v);l.push({type:1,index:a,name:h[2],strings:A,ctor:h[1]==="."?Te:h[1]==="?"?Pe:h[1]==="@"?Ie:z}),s.removeAttribute(f)}else f.startsWith(H)&&(l.push({type:6,index:a}),s.removeAttribute(f));if(St.test(s.tagName)){let f=s.textContent.split(H),v=f.length-1;if(v>0){s.textContent=me?me.emptyScript:"";for(let A=0;A<v;A++)s.append(f[A],X()),q.nextNode(),l.push({type:2,index:++a});s.append(f[v],X())}}}else if(s.nodeType===8)if(s.data===kt)l.push({type:2,index:a});else{let f=-1;for(;(f=s.data.indexOf(H,f+1))!==-1;)l.push({type:7,index:a}),f+=H.length-1}a++}}static createElement(t,o){let n=B.createElement("template");return n.innerHTML=t,n}};function K(e,t,o=e,n){if(t===W)return t;let s=n!==void 0?o._$Co?.[n]:o._$Cl,a=ee(t)?void 0:t._$litDirective$;return s?.constructor!==a&&(s?._$AO?.(!1),a===void 0?s=void 0:(s=new a(e),s._$AT(e,o,n)),n!==void 0?(o._$Co??=[])[n]=s:o._$Cl=s),s!==void 0&&(t=K(e,s._$AS(e,t.values),s,n)),t}var Ee=class{constructor(t,o){this._$AV=[],this._$AN=void 0,this._$AD=t,this._$AM=o}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}u(t){let{el:{content:o},parts:n}=this._$AD,s=(t?.creationScope??B).importNode(o,!0);q.currentNode=s;let a=q.nextNode(),i=0,p=0,l=n[0];for(;l!==void 0;){if(i===l.index){let u;l.type===2?u=new oe(a,a.nextSibling,this,t):l.type===1?u=new l.ctor(a,l.name,l.strings,this,t):l.type===6&&(u=new Me(a,this,t)),this._$AV.push(u),l=n[++p]}i!==l?.index&&(a=q.nextNode(),i++)}return q.currentNode=B,s}p(t){let o=0;for(let n of this._$AV)n!==void 0&&(n.strings!==void 0?(n._$AI(t,n,o),o+=n.strings.length-2):n._$AI(t[o])),o++}},oe=class e{get _$AU(){return this._$AM?._$AU??this._$Cv}constructor(t,o,n,s){this.type=2,this._$AH=m,this._$AN=void 0,this._$AA=t,this._$AB=o,this._$AM=n,this.options=s,this._$Cv=s?.isConnected??!0}get parentNode(){let t=this._$AA.parentNode,o=this._$AM;return o!==void 0&&t?.nodeType===11&&(t=o.parentNode),t}get startNode(){return this._$AA}get endNode(){return this._$AB}_$AI(t,o=this){t=K(this,t,o),ee(t)?t===m||t==null||t===""?(this._$AH!==m&&this._$AR(),this._$AH=m):t!==this._$AH&&t!==W&&this._(t):t._$litType$!==void 0?this.$(t):t.nodeType!==void 0?this.T(t):uo(t)?this.k(t):this._(t)}O(t){return this._$AA.parentNode.insertBefore(t,this._$AB)}T(t){this._$AH!==t&&(this._$AR(),this._$AH=this.O(t))}_(t){this._$AH!==m&&ee(this._$AH)?this._$AA.nextSibling.data=t:this.T(B.createTextNode(t)),this._$AH=t}$(t){let{values:o,_$litType$:n}=t,s=typeof n=="number"?this._$AC(t):(n.el===void 0&&(n.el=te.createElement(Et(n.h,n.h[0]),this.options)),n);if(this._$AH?._$AD===s)this._$AH.p(o);else{let a=new Ee(s,this),i=a.u(this.options);a.p(o),this.T(i),this._$AH=a}}_$AC(t){let o=xt.get(t.strings);return o===void 0&&xt.set(t.strings,o=new te(t)),o}k(t){Ce(this._$AH)||(this._$AH=[],this._$AR());let o=this._$AH,n,s=0;for(let a of t)s===o.length?o.push(n=new e(this.O(X()),this.O(X()),this,this.options)):n=o[s],n._$AI(a),s++;s<o.length&&(this._$AR(n&&n._$AB.nextSibling,s),o.length=s)}_$AR(t=this._$AA.nextSibling,o){for(this._$AP?.(!1,!0,o);t!==this._$AB;){let n=$t(t).nextSibling;$t(t).remove(),t=n}}setConnected(t){this._$AM===void 0&&(this._$Cv=t,this._$AP?.(t))}},z=class{get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}constructor(t,o,n,s,a){this.type=1,this._$AH=m,this._$AN=void 0,this.element=t,this.name=o,this._$AM=s,this.options=a,n.length>2||n[0]!==""||n[1]!==""?(this._$AH=Array(n.length-1).fill(new String),this.strings=n):this._$AH=m}_$AI(t,o=this,n,s){let a=this.strings,i=!1;if(a===void 0)t=K(this,t,o,0),i=!ee(t)||t!==this._$AH&&t!==W,i&&(this._$AH=t);else{let p=t,l,u;for(t=a[0],l=0;l<a.length-1;l++)u=K(this,p[n+l],o,l),u===W&&(u=this._$AH[l]),i||=!ee(u)||u!==this._$AH[l],u===m?t=m:t!==m&&(t+=(u??"")+a[l+1]),this._$AH[l]=u}i&&!s&&this.j(t)}j(t){t===m?this.element.removeAttribute(this.name):this.element.setAttribute(this.name,t??"")}},Te=class extends z{constructor(){super(...arguments),this.type=3}j(t){this.element[this.name]=t===m?void 0:t}},Pe=class extends z{constructor(){super(...arguments),this.type=4}j(t){this.element.toggleAttribute(this.name,!!t&&t!==m)}},Ie=class extends z{constructor(t,o,n,s,a){super(t,o,n,s,a),this.type=5}_$AI(t,o=this){if((t=K(this,t,o,0)??m)===W)return;let n=this._$AH,s=t===m&&n!==m||t.capture!==n.capture||t.once!==n.once||t.passive!==n.passive,a=t!==m&&(n===m||s);s&&this.element.removeEventListener(this.name,this,n),a&&this.element.addEventListener(this.name,this,t),this._$AH=t}handleEvent(t){typeof this._$AH=="function"?this._$AH.call(this.options?.host??this.element,t):this._$AH.handleEvent(t)}},Me=class{constructor(t,o,n){this.element=t,this.type=6,this._$AN=void 0,this._$AM=o,this.options=n}get _$AU(){return this._$AM._$AU}_$AI(t){K(this,t)}};var fo=Ne.litHtmlPolyfillSupport;fo?.(te,oe),(Ne.litHtmlVersions??=[]).push("3.3.3");var b=(e,t,o)=>{let n=o?.renderBefore??t,s=n._$litPart$;if(s===void 0){let a=o?.renderBefore??null;n._$litPart$=s=new oe(t.insertBefore(X(),a),a,void 0,o??{})}return s._$AI(e),s};var Le=Object.getPrototypeOf(b(m,document.createDocumentFragment())),Tt=Le._$AC(c`<p>${m}</p>`).constructor,{_$AI:ho}=Le;Le._$AI=function(e,...t){let o=this._$AH;(typeof o=="string"||typeof o=="number")&&e!==o&&e!==W&&!(this.startNode.nextSibling instanceof Text)&&(this._$AR(),this._$AH=m),ho.call(this,e,...t)};var{createElement:yo}=Tt;Tt.createElement=(e,t)=>{let o=yo(e,t),n=document.createTreeWalker(o.content,NodeFilter.SHOW_COMMENT);for(;n.nextNode();){let{currentNode:s}=n;s.nextSibling instanceof Text&&(s.after(document.createComment("")),n.nextNode())}return o};async function Pt(e,t){for(let o=0,n=500;;o++,n=Math.min(2*n,15e3))try{let s=await t(o);return dispatchEvent(new CustomEvent("partloaded",{detail:e})),s}catch{dispatchEvent(new CustomEvent("partmissing",{detail:e})),await new Promise(s=>setTimeout(s,n))}}var $o=/[\u061c\u200f\u202a-\u202e\u2066-\u2069\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u,wo=e=>$o.test(e)?`⁨${e}⁩`:e;function go(e,t){let o=new Intl.PluralRules(e),n=new Intl.NumberFormat(e);return(s,a={})=>{let i=t[s];return i===void 0?s:(typeof i=="string"?i:i[o.select(Number(a.n))]??i.other).replace(/\{(\w+)\}/g,(l,u)=>{let d=a[u]??"";return typeof d=="number"?n.format(d):wo(d)})}}function Re(){return document.documentElement.lang==="fr"?"fr":"en"}function de(e){let{href:t}=document.getElementById("words");return Pt("words",async()=>{let o=await fetch(e??t);if(!o.ok)throw new Error(`${o.status}`);return go(Re(),await o.json())})}var He=new Map;function G(e){try{return He.get(e)??localStorage.getItem(e)}catch{return null}}function ne(e,t){He.delete(e);try{if(localStorage.setItem(e,t),localStorage.getItem(e)===t)return}catch{}He.set(e,t)}var bo=[{game:"fibonacci",rulesets:["fibonacci","fibonacci-mixed","fibonacci-cards"],first:"black",second:"white"},{game:"fenix",rulesets:["fenix"],first:"red",second:"blue"},{game:"focus",rulesets:["focus","focus-classic"],first:"white",second:"black"},{game:"crossfire",rulesets:["crossfire"],first:"white",second:"black"}],fn=bo.flatMap(({rulesets:e})=>e),j=Re(),y=await de(),It=x("favicon"),{href:hn}=It,yn=It.dataset.turn??"";var vo=300,_o={polite:{timer:0,last:"",waiting:[]},assertive:{timer:0,last:"",waiting:[]}};function V(e,t="polite"){let o=_o[t];o.waiting.includes(e)||o.waiting.push(e),clearTimeout(o.timer),o.timer=window.setTimeout(()=>{let n=o.waiting.join(" ");o.waiting=[],n===o.last&&(n+=" "),o.last=n,x(t).textContent=n},vo)}function P(e){if(!(e instanceof g))throw e;let t=e.code==="no_session"&&ht()?"nothing_kept":e.code;if(t==="too_fast"&&e.retryS>1)return y("refusal.wait",{when:Ao(e.retryS)});let o=`refusal.${t}`,n=y(o);return n===o?y("refusal.other",{code:t}):n}var xo=new Intl.RelativeTimeFormat(j);function Ao(e){let[t,o]=e<100?[1,"second"]:e<6e3?[60,"minute"]:[3600,"hour"];return xo.format(Math.ceil(e/t),o)}var Mt=e=>y(`ruleset.${e}`);var Nt=e=>new Intl.ListFormat(j,{type:"conjunction"}).format(e),Ct=()=>matchMedia("(pointer: coarse)").matches?"touch":"keys";function x(e){let t=document.getElementById(e);if(t===null)throw new Error(`the page has no element #${e}`);return t}var ko={close:I`<path d="m6 6 12 12M18 6 6 18"/>`,undo:I`<path d="M8.5 5 4.5 9l4 4M5 9h9a5.5 5.5 0 0 1 0 11h-4"/>`,restart:I`<path d="M5 12a7 7 0 1 1 2.2 5.1M5 17.5V13h4.5"/>`,check:I`<path d="m5 12.5 4.5 4.5L19 7.5"/>`,flip:I`<path d="M8 4v15m0 0-3.5-3.5M8 19l3.5-3.5M16 20V5m0 0-3.5 3.5M16 5l3.5 3.5"/>`,eye:I`<path d="M2.5 12c4.5-7.3 14.5-7.3 19 0-4.5 7.3-14.5 7.3-19 0Z"/><circle cx="12" cy="12" r="2.8"/>`,copy:I`<rect x="8.5" y="8.5" width="11" height="11" rx="2"/><path d="M15.5 5.5a1 1 0 0 0-1-1h-9a1 1 0 0 0-1 1v9a1 1 0 0 0 1 1"/>`,share:I`<path d="M12 15.5v-11m0 0-4 4m4-4 4 4M5 13.5v6h14v-6"/>`,stack:I`<ellipse cx="12" cy="7" rx="7.5" ry="3"/><path d="M4.5 7v5c0 1.66 3.36 3 7.5 3s7.5-1.34 7.5-3V7M4.5 12v5c0 1.66 3.36 3 7.5 3s7.5-1.34 7.5-3v-5"/>`,download:I`<path d="M12 4v11m0 0-4-4m4 4 4-4M5 19.5h14"/>`},So=e=>c`<svg class="ic" viewBox="0 0 24 24" aria-hidden="true" focusable="false">${e}</svg>`,N=e=>So(ko[e]);var Fe=null;function fe(e,t,{isHeld:o}={isHeld:!1}){if(Fe?.open)return null;Fe?.remove();let n=document.createElement("dialog");return n.setAttribute("aria-labelledby","dialog-title"),b(c`<header class="dialog-head">
        <h2 id="dialog-title">${e}</h2>
        ${o?m:c`<button class="quiet icon" aria-label=${y("page.close")} @click=${()=>n.close()}>${N("close")}</button>`}
      </header>
      ${t}`,n),n.addEventListener("click",s=>s.target===n&&!o&&n.close()),n.addEventListener("close",()=>n.remove()),o&&(n.setAttribute("closedby","none"),n.addEventListener("cancel",s=>s.preventDefault())),Fe=n,document.body.append(n),n.showModal(),n}function Eo(e){return e(),new Promise(t=>{addEventListener("pagehide",t,{once:!0}),setTimeout(t,3e4)})}var se=()=>Eo(()=>location.reload());var Ot=e=>/^(Guest|Invité) \d+$/.test(e);var To=/[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;var S=e=>e.replace(To,"").replace(/\s+/g," ").trim();var r=await de(x("top").dataset.visitorWords);async function Lt(e){let t=null,o=null;a(),await n(async()=>{t=(await le()).players});async function n(i){o=null;try{await i()}catch(p){o=P(p)}a()}let s=({id:i,name:p})=>n(async()=>{await lt(i),t=(t??[]).filter(l=>l.id!==i),V(r("blocks.unblocked",{name:p})),e.focus()});function a(){let i=(t??[]).map(p=>c`<li><bdi>${p.name}</bdi>
        <button aria-label=${r("blocks.unblock_named",{name:p.name})} @click=${()=>s(p)}>${r("blocks.unblock")}</button></li>`);b(c`<h3 id="blocks-title">${r("blocks.title")}</h3>
        <p>${t?.length===0?r("blocks.none"):r("blocks.lead")}</p>
        ${i.length===0?m:c`<ul>${i}</ul>`}
        <p class="error" role="alert">${o}</p>`,e)}}var Rt=80,Po=e=>`${e[0].toLocaleUpperCase()}${e.slice(1)}.`;function Io(e,t){let o=e.split(`
`)[t-1]?.trim()??"";return o===""?"":y("record.found",{text:o.length>Rt?`${o.slice(0,Rt)}…`:o})}function Mo(e){switch(e.code){case"expected":{let t=y(`flaw.what_${e.what}`);return e.field===null?y("flaw.expected",{what:t}):y("flaw.expected_in",{field:e.field,what:t})}case"position":return y("flaw.position",{n:e.at+1,rule:e.rule});case"illegal":case"incomplete":return y(`flaw.${e.code}`,{n:e.index+1,rule:e.rule});case"game_over":return y("flaw.game_over",{n:e.index+1});case"wrong_ending":return y("flaw.wrong_ending",{result:e.winner??"draw",reason:e.reason});case"newer_version":return y("flaw.newer_version",{version:String(e.version)});case"wrong_number":return y("flaw.wrong_number",{expected:String(e.expected)});default:return y(`flaw.${e.code}`,e)}}function Ht(e,t=""){let o=P(e);if(!(e instanceof g)||e.flaw===null)return c`${o}`;let{line:n,turn:s,flaw:a}=e,i=[...n===null?[]:[y("record.line",{n})],...s===null?[]:[y("record.turn",{n:s})]].join(", "),p=n===null?"":Io(t,n);return c`${o} ${Po(`${i}${i===""?"":y("page.colon")}${Mo(a)}`)} ${p}`}async function he(e,t,o){let n=e.querySelector('button:not([type="button"])'),s=e.querySelector('.error[role="alert"]');if(!n.hasAttribute("aria-disabled")){n.setAttribute("aria-disabled","true"),b(m,s);try{await t()}catch(a){b(Ht(a,o),s),s.scrollIntoView({block:"nearest"})}n.removeAttribute("aria-disabled")}}var re=(e,t,o,n)=>c`<div class="field">
    <label for=${`${e}-field`}>${t}</label>
    ${n(`${e}-field`,`${e}-hint ${e}-error`)}
    <small id=${`${e}-hint`}>${o}</small>
    <p class="error" id=${`${e}-error`}></p>
  </div>`,C=(e,t,o,n=null)=>re("name",e,n,(s,a)=>c`<input id=${s} name="name" required maxlength="24" autocomplete=${o} autocapitalize="off"
      spellcheck="false" value=${t} aria-describedby=${a} />`),Ft=(e,t)=>re("label",e,null,(o,n)=>c`<input id=${o} name="label" required maxlength="40" autocomplete="off" value=${t}
      aria-describedby=${n} />`),Dt=e=>re("code",e,null,(t,o)=>c`<input id=${t} name="code" required maxlength="40" autocomplete="off" autocapitalize="characters"
      spellcheck="false" aria-describedby=${o} />`),De=e=>re("address",e,null,(t,o)=>c`<input id=${t} name="address" type="email" required maxlength="254" autocomplete="email"
      aria-describedby=${o} />`),M=(e,t,o,n=null)=>{let s=o==="new-password";return re(e,t,s?r("password.hint"):n,(a,i)=>c`<span class="secret">
      <input id=${a} name=${e} type="password" required minlength=${s?8:m} maxlength="128"
        autocomplete=${o} aria-describedby=${i} />
      <button type="button" class="quiet icon" aria-pressed="false" title=${r("password.show")} aria-label=${r("password.show")}
        @click=${No}>${N("eye")}</button>
    </span>`)};function No(e){let t=e.currentTarget,o=t.previousElementSibling,n=o.type==="text";o.type=n?"password":"text",t.setAttribute("aria-pressed",String(!n))}var ye=({submitter:e})=>e instanceof HTMLButtonElement&&e.name==="passkey";async function E(e,t,o){e.preventDefault();let n=e.target;await he(n,async()=>{for(let s of n.querySelectorAll("[aria-invalid]"))s.removeAttribute("aria-invalid"),x(s.id.replace(/field$/,"error")).textContent="";try{await o(Object.fromEntries(new FormData(n)))}catch(s){let a=s instanceof g?t[s.code]:void 0;if(a===void 0)throw s;let[i,p=P(s)]=a,l=x(`${i}-field`);x(`${i}-error`).textContent=p,l.setAttribute("aria-invalid","true"),l.focus()}})}function T(e,t,o){return document.querySelector("dialog[open]")?.close(),fe(e,t,o)}var{hostname:Ue}=location,Co=/^[\d.]+$|^\[/.test(Ue),F=!Co&&"parseCreationOptionsFromJSON"in(globalThis.PublicKeyCredential??{}),J=()=>{if(!["127.0.0.1","[::1]"].includes(Ue))return m;let e=new URL(location.href);return e.hostname="localhost",c`<p><small>${r("passkey.elsewhere")} <a href=${e.href}>${e.host}</a></small></p>`};async function $e(e){let t=await _e(e);return Ut("passkey_not_made",t.rp.id,()=>navigator.credentials.create({publicKey:PublicKeyCredential.parseCreationOptionsFromJSON(t)}))}async function we(e){let t=await _e(e);return Ut("passkey_not_used",t.rpId,()=>navigator.credentials.get({publicKey:PublicKeyCredential.parseRequestOptionsFromJSON(t)}))}async function ge(e){try{return await e()}catch(t){throw t instanceof g&&t.code==="wrong_credentials"?new g("passkey_unknown",t.detail):t}}var Oo={InvalidStateError:"passkey_there",ConstraintError:"passkey_unable",NotSupportedError:"passkey_unable",SecurityError:"passkey_elsewhere"};async function Ut(e,t,o){if(t!==Ue)throw new g("passkey_elsewhere",String(t));try{return(await o()).toJSON()}catch(n){throw n instanceof DOMException?new g(Oo[n.name]??e,n.message):n}}var O=e=>c`<input name="username" autocomplete="username" value=${e} hidden />
  <div class="proof"></div>`,L=(e,t,o)=>E(e,{...t,wrong_credentials:["proof",r("password.wrong")]},async n=>{n.proof!==void 0&&await Ae({password:n.proof});try{await o(n)}catch(s){if(!(s instanceof g&&s.code==="prove_again"))throw s;await Ro(e.target);return}qe()});async function Lo(e){let t=!1;await he(e,async()=>{let o=await we({purpose:"prove"});await ge(()=>Ae({passkey:o})),t=!0}),t&&(qe(),e.requestSubmit())}function qe(){for(let e of document.querySelectorAll(".proof"))b(m,e)}async function Ro(e){let[{has_password:t},{passkeys:o}]=await Promise.all([D(),ae()]);qe();let n=e.querySelector(".proof");b(c`${t?M("proof",r("password.current"),"current-password",r("password.prove")):c`<p>${r("password.prove")}</p>`}
      ${F&&o.length>0?c`<button type="button" @click=${()=>Lo(e)}>${r("passkey.prove")}</button>`:m}`,n),n.querySelector("input, button")?.focus()}var Bt=()=>({invalid_body:["address",r("mail.wrong")]});function Wt({player:{name:e},mail:t},o){return c`<form aria-labelledby="mail-title" @submit=${s=>L(s,Bt(),async a=>{let i=S(a.address);await st({address:i}),s.target.reset(),o(r("mail.sent",{address:i}))})}>
      <h3 id="mail-title">${r("mail.title")}</h3>
      <p>${t===void 0?r("mail.lead"):r("mail.current",{address:t.address})}</p>
      ${De(r(t===void 0?"mail.label":"mail.new"))}
      ${O(e)}
      <p class="error" role="alert"></p>
      <button>${r("mail.submit")}</button>
    </form>
    ${t===void 0?m:[qt(e,...Ho(t.recovers),o),qt(e,rt,"mail.remove","mail.removed",o)]}`}var Ho=e=>e?[()=>xe(!1),"mail.forbid","mail.forbidden"]:[()=>xe(!0),"mail.allow","mail.allowed"];function qt(e,t,o,n,s){let a=i=>L(i,{},async()=>{await t(),s(r(n))});return c`<form aria-label=${r(o)} @submit=${a}>
    ${O(e)}
    <p class="error" role="alert"></p>
    <button>${r(o)}</button>
  </form>`}function Gt(e){T(r("mail.confirm_title"),c`<form @submit=${t}>
      <p>${r("mail.confirm_lead")}</p>
      <p class="error" role="alert"></p>
      <button class="primary">${r("mail.confirm_submit")}</button>
    </form>`);function t(o){return E(o,{},async()=>{await it({link:e}),Vt(r("mail.confirm_title"),r("mail.confirmed"))})}}function jt(e){T(r("recovery.by_mail"),c`<form @submit=${t}>
      <p>${r("recovery.mail_lead")}</p>
      ${C(r("signin.name"),e,"username")}
      ${De(r("mail.label"))}
      <p class="error" role="alert"></p>
      <button class="primary">${r("recovery.mail_submit")}</button>
    </form>`);function t(o){return E(o,Bt(),async({name:n,address:s})=>{await nt({name:S(n),mail:S(s)}),Vt(r("recovery.by_mail"),r("recovery.mail_sent"))})}}function Vt(e,t){T(e,c`<p class="done" tabindex="-1">${t}</p>`).querySelector(".done").focus()}function Kt(e,t){let o=document.createElement("a");o.href=URL.createObjectURL(new Blob([t],{type:"text/plain"})),o.download=e,o.click(),setTimeout(()=>URL.revokeObjectURL(o.href))}function Y({player:e,recovery_code:t=""},o,n){let s=r("recovery.file",{name:e.name,host:location.host}),a=T(r("recovery.show_title"),c`<form @submit=${l}>
      <p>${o}</p>
      <p class="recovery-code" id="recovery-code" tabindex="-1" translate="no">${t.split("-").map(u=>c`<span>${u}</span> `)}</p>
      <p><small>${s}</small></p>
      <p class="ways">
        <button type="button" @click=${i}>${N("copy")} ${r("recovery.copy")}</button>
        <button type="button" @click=${p}>${N("download")} ${r("recovery.download")}</button>
        <button type="button" @click=${()=>print()}>${r("recovery.print")}</button>
      </p>
      <p id="recovery-status" role="status"></p>
      <button class="primary">${r("recovery.kept")}</button>
    </form>`,{isHeld:!0});x("recovery-code").focus();async function i(){try{await navigator.clipboard.writeText(t),x("recovery-status").textContent=r("recovery.copied")}catch{getSelection()?.selectAllChildren(x("recovery-code")),x("recovery-status").textContent=r(`recovery.by_${Ct()}`)}}function p(){Kt("towers-recovery-code.txt",`${s}

${t}
`)}function l(u){u.preventDefault(),a.close(),n()}}function zt(e){T(r("register.title"),c`<form @submit=${Do}>
      <p>${r("register.lead")}</p>
      ${C(r("register.name"),e,"username",r("register.name_hint"))}
      ${M("password",r("password.label"),"new-password")}
      <p class="error" role="alert"></p>
      <button class="primary">${r("register.submit")}</button>
      ${F?Fo():J()}
    </form>`).querySelector("input")?.focus()}var Fo=()=>c`<p><small id="passkey-lead">${r("passkey.instead")}</small></p>
    <button name="passkey" formnovalidate aria-describedby="passkey-lead">${r("passkey.register")}</button>`,Do=e=>E(e,{name_taken:["name"],invalid_body:["name"],weak_password:["password"]},async t=>{let o=S(t.name),n=ye(e)?{passkey:await $e({purpose:"register",name:o})}:{password:t.password},s=await Je({name:o,...n});R(s.player),Y(s,r("recovery.why"),()=>V(r("register.done",{name:s.player.name})))});var Jt=new Intl.DateTimeFormat(j,{dateStyle:"medium",timeZone:"UTC"});async function Yt(e,t){let o=[],n=null,s="",a=null;f();try{({passkeys:o}=await ae())}catch(h){a=P(h)}f();function i(h,_){[o,s,n]=[h,_,null],f(),e.focus()}function p(h){return L(h,{},async()=>{let _=await $e({purpose:"add"});i((await Qe({passkey:_})).passkeys,r("passkey.added"))})}let l=h=>_=>E(_,{invalid_body:["label",r("passkey.label_wrong")]},async w=>{let{passkeys:k}=await Xe(h,{label:S(w.label)});i(k,r("passkey.renamed"))}),u=h=>_=>L(_,{},async()=>{await et(h),i(o.filter(w=>w.id!==h),r("passkey.removed"))});function d(h){n=n===h?null:h,f()}function f(){let h=c`<form @submit=${p}>
        ${O(t)}
        <p class="error" role="alert"></p>
        <button>${r("passkey.add")}</button>
      </form>`;b(c`<h3 id="passkeys-title">${r("passkey.title")}</h3>
        <p>${r("passkey.lead")}</p>
        <p role="status">${s}</p>
        ${o.length===0?m:c`<ul>${o.map(v)}</ul>`}
        <p class="error" role="alert">${a}</p>
        ${F?h:J()}`,e)}function v({id:h,label:_,created_ms:w,used_ms:k}){let ve=_??r("passkey.unnamed"),oo={made:Jt.format(w),used:Jt.format(k)};return c`<li>
      <span><bdi>${ve}</bdi> <small>${r("passkey.days",oo)}</small></span>
      <button aria-expanded=${n===h} aria-label=${r("passkey.change_named",{label:ve})} @click=${()=>d(h)}>${r("passkey.change")}</button>
      ${n===h?A(h,ve):m}
    </li>`}let A=(h,_)=>c`<form @submit=${l(h)}>
        ${Ft(r("passkey.label"),_)}
        <p class="error" role="alert"></p>
        <button>${r("rename.submit")}</button>
      </form>
      <form @submit=${u(h)}>
        <p>${r("passkey.remove_lead")}</p>
        ${O(t)}
        <p class="error" role="alert"></p>
        <button>${r("passkey.remove")}</button>
      </form>`}async function be(e){await Z(()=>$("DELETE",`/api/v1/${e}`)),ne("left",G("account")??""),ne("name",""),await se()}var Uo=new Intl.DateTimeFormat(j,{dateStyle:"medium",timeZone:"UTC"});function Be(e,t){let{name:o}=e.player,n=[],s=!0,a="",i=null,l=T(r("security.title"),c`<div></div>`).querySelector("div");async function u(w){i=null,h();try{await w?.(),[{sessions:n},{has_password:s}]=await Promise.all([at(),D()])}catch(k){i=P(k)}h()}let d=w=>u(async()=>{for(let{id:k}of w)await qo(k);a=r("sessions.ended",{n:w.length}),l.querySelector(".sessions").focus()}),f=w=>L(w,{weak_password:["password"]},async({password:k})=>{await ie({password:k}),w.target.reset(),a=r("password.done"),u()});async function v(w){a=w,u(async()=>{e=await D()})}let A=w=>L(w,{},async()=>Y(await ce(),r("recovery.why"),()=>Be(e,t)));function h(){let w=n.filter(({is_current:k})=>!k);b(c`<p role="status">${a}</p>
        <form aria-labelledby="password-title" @submit=${f}>
          <h3 id="password-title">${r(s?"password.title":"password.title_first")}</h3>
          ${M("password",r("password.new"),"new-password")}
          ${O(o)}
          <p class="error" role="alert"></p>
          <button class="primary">${r("password.submit")}</button>
        </form>
        <section class="list passkeys" aria-labelledby="passkeys-title" tabindex="-1"></section>
        ${t?Wt(e,v):m}
        <section class="list sessions" aria-labelledby="sessions-title" tabindex="-1">
          <h3 id="sessions-title">${r("sessions.title")}</h3>
          <ul>${n.map(_)}</ul>
          <p class="error" role="alert">${i}</p>
          <p class="ways">
            ${w.length===0?m:c`<button @click=${()=>d(w)}>${r("sessions.end_others")}</button>`}
            <button @click=${()=>u(()=>be("sessions"))}>${r("sessions.end_all")}</button>
          </p>
        </section>
        <form class="last" aria-labelledby="code-title" @submit=${A}>
          <h3 id="code-title">${r("recovery.code")}</h3>
          <p>${r("recovery.renew_lead")}</p>
          ${O(o)}
          <p class="error" role="alert"></p>
          <button>${r("recovery.renew")}</button>
        </form>`,l)}u(),Yt(l.querySelector(".passkeys"),o);function _(w){let k=w.label??r("sessions.unknown");return c`<li>
      <span>${k} <small>${r("sessions.used",{day:Uo.format(w.used_ms)})}</small></span>
      ${w.is_current?c`<strong>${r("sessions.this")}</strong>`:c`<button aria-label=${r("sessions.end_named",{label:k})} @click=${()=>d([w])}>${r("sessions.end")}</button>`}
    </li>`}}async function qo(e){try{await ct(e)}catch(t){if(!(t instanceof g&&t.code==="no_such_resource"))throw t}}function We(e){let t=null,o=T(r("signin.title"),c`<form @submit=${n}>
      ${C(r("signin.name"),e,"username")}
      ${M("password",r("password.label"),"current-password")}
      <p class="error" role="alert"></p>
      <p class="ways">
        <button class="primary">${r("signin.submit")}</button>
        <button type="button" class="quiet" @click=${s}>${r("signin.lost")}</button>
      </p>
      ${F?c`<button name="passkey" formnovalidate>${r("passkey.signin")}</button>`:J()}
      ${je()}
    </form>`);o.querySelector(e===""?"input":'[name="password"]')?.focus();function n(a){return Ge(a,{wrong_credentials:["password"]},async(i,p)=>{ye(a)?t=await we({purpose:"sign_in"}):p||(t=null);let l=t,u=S(i.name),{player:d}=await Z(()=>l===null?Ye({name:u,password:i.password,leave_guest:p}):ge(()=>Ze({passkey:l,leave_guest:p})));R(d),await se()})}async function s(){let{value:a}=o.querySelector("input");Wo(a,await Bo())}}async function Bo(){try{return(await ue()).mail}catch{return!1}}function Wo(e,t){let o=T(r("recovery.title"),c`<form @submit=${s}>
      <p>${r("recovery.lead")}</p>
      ${C(r("signin.name"),e,"username")}
      ${Dt(r("recovery.code"))}
      ${M("password",r("password.new"),"new-password")}
      <p class="error" role="alert"></p>
      <p class="ways">
        <button class="primary">${r("recovery.submit")}</button>
        ${t?c`<button type="button" class="quiet" @click=${n}>${r("recovery.by_mail")}</button>`:m}
      </p>
      ${je()}
    </form>`);o.querySelector(e===""?"input":'[name="code"]')?.focus();function n(){jt(o.querySelector("input").value)}function s(a){let i=["code",r("recovery.wrong")];return Ge(a,{wrong_credentials:i,invalid_body:i,weak_password:["password"]},async({name:l,code:u,password:d},f)=>{let v={code:S(u),password:d};await Qt(()=>tt({name:S(l),...v,leave_guest:f}))})}}function Zt(e){T(r("recovery.link_title"),c`<form @submit=${o}>
      <p>${r("recovery.link_lead")}</p>
      ${M("password",r("password.new"),"new-password")}
      <p class="error" role="alert"></p>
      <button class="primary">${r("recovery.submit")}</button>
      ${je()}
    </form>`).querySelector("input")?.focus();function o(n){return Ge(n,{weak_password:["password"]},({password:s},a)=>Qt(()=>ot({link:e,password:s,leave_guest:a})))}}async function Qt(e){let{player:t}=await Z(e);R(t),Y(await ce(),r("recovery.why_next"),se)}var Ge=(e,t,o)=>E(e,t,async n=>{try{await o(n,e.submitter?.classList.contains("danger")??!1)}catch(s){if(!(s instanceof g&&s.code==="guest_has_games"))throw s;let i=e.target.querySelector(".leaving");b(Go(s.games),i),i.focus()}}),je=()=>c`<section class="leaving" aria-labelledby="leaving-title" tabindex="-1"></section>`,Go=e=>c`<h3 id="leaving-title">${r("signin.leave_title")}</h3>
    <p>${r("signin.leave")}</p>
    <ul>${e.map(t=>c`<li><a href=${`/game/${t.id}`}>${jo(t)}</a></li>`)}</ul>
    <button class="danger" formnovalidate>${r("signin.leave_submit")}</button>`;function jo({ruleset:e,seats:t}){let o=t===null?y("lobby.your_room"):y("game.pair",{first:t.first.name,second:t.second.name});return`${Mt(e)}${y("page.colon")}${o}`}async function Lr(){let e=fe(r("visitor.title"),c`<div></div>
      <section class="list" aria-labelledby="blocks-title" tabindex="-1"></section>
      <div></div>`);if(e===null)return;let[t,o,n]=[...e.querySelectorAll("div, section")];G("account")||b(Xt(e,G("name")??""),t);try{let{player:s,mail:a}=await ue(),i=s.kind!=="account";b(i?Xt(e,s.name):Vo(e,await D(),a),t),b(i?Ko:zo,n),Lt(o)}catch(s){b(c`<p class="error" role="alert">${P(s)}</p>`,t)}}function Rr(e){let t=document.createElement("div");t.className="ended",b(c`<p>${r("ended.words")}</p>
      <button class="primary" @click=${()=>We(e)}>${r("signin.title")}</button>
      <button class="quiet icon" aria-label=${y("page.close")} @click=${()=>t.remove()}>${N("close")}</button>`,t),x("top").append(t),V(r("ended.words"))}function Hr(e,t){e==="recover"?Zt(t):Gt(t)}var Xt=(e,t)=>c`<p>${r("visitor.guest")}</p>
    <p class="ways">
      <button class="primary" @click=${()=>zt(Ot(t)?"":t)}>${r("register.title")}</button>
      <button @click=${()=>We("")}>${r("signin.title")}</button>
    </p>
    ${eo(e,t,"nickname",null,async o=>(await ze({name:o})).player)}`,Vo=(e,t,o)=>c`<p>${r("visitor.account")}</p>
    <p class="ways"><button @click=${()=>Be(t,o)}>${r("security.title")}</button></p>
    ${eo(e,t.player.name,"username",[r("rename.hint"),...t.former_names.length===0?[]:[r("rename.former",{names:Nt(t.former_names)})]].join(" "),async n=>(await ie({name:n})).player)}`;function eo(e,t,o,n,s){return c`<form @submit=${i=>E(i,{name_taken:["name"],invalid_body:["name"]},async({name:p})=>{let l=await s(S(p));e.close(),V(r("rename.done",{name:l.name})),R(l)})}>
    ${C(r("rename.label"),t,o,n)}
    <p class="error" role="alert"></p>
    <button>${r("rename.submit")}</button>
  </form>`}var to=e=>E(e,{},()=>be("session")),Ko=c`<details class="leave">
  <summary>${r("leave.title")}</summary>
  <form @submit=${to}>
    <p>${r("leave.lead")}</p>
    <p class="error" role="alert"></p>
    <button>${r("leave.title")}</button>
  </form>
</details>`,zo=c`<form class="leave" @submit=${to}>
  <p class="error" role="alert"></p>
  <button>${r("leave.title")}</button>
</form>`;export{Lr as show,Rr as showEnded,Hr as showLink};
/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */
