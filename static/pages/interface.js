// The description of the HTTP interface, drawn from the server's own OpenAPI document.

import { request, untilAnswered } from '../connection/api.js';
import { beginHeader } from '../ui/header.js';
import { announce, byId, t, wordsOf } from '../ui/page.js';
import { html, nothing, render } from '../vendor/lit-html@3.3.3/lit-html.js';

/** @import { TemplateResult } from '../vendor/lit-html@3.3.3/lit-html.js' */

/** The parts of a schema that the server's document uses.
 * @typedef {object} Schema
 * @property {string} [$ref]
 * @property {string | string[]} [type]
 * @property {string} [format]
 * @property {string} [description]
 * @property {unknown[]} [enum]
 * @property {Schema} [items]
 * @property {Record<string, Schema>} [properties]
 * @property {string[]} [required]
 * @property {boolean | Schema} [additionalProperties]
 * @property {Schema[]} [oneOf]
 * @property {Schema[]} [allOf]
 */
/** @typedef {Record<string, { schema?: Schema }>} Content */
/** @typedef {{ description: string, content?: Content }} Answer */
/** @typedef {{ name: string, in: 'path' | 'query', required: boolean, description?: string, schema: Schema }} Parameter */
/** @typedef {object} Operation
 * @property {string} operationId
 * @property {string[]} tags
 * @property {string} summary
 * @property {string} [description]
 * @property {Parameter[]} [parameters]
 * @property {{ content: Content }} [requestBody]
 * @property {Record<string, Answer>} responses
 * @property {Record<string, string[]>[]} [security]
 */
/** @typedef {object} Description
 * @property {Record<string, Record<string, Operation>>} paths
 * @property {{ schemas: Record<string, Schema> }} components
 * @property {{ name: string, description: string }[]} tags
 */

const DOCUMENT = '/api/v1/openapi.json';
const PROTOCOL = '/api/v1/protocol.md';

/** Content type of problems. */
const PROBLEM = 'application/problem+json';

// --- Texts ---

/** A text of the document with its words of code. @param {string} text */
const prose = (text) => text.split('`').map((part, index) => (index % 2 ? html`<code>${part}</code>` : part));

/** A text with paragraphs, or a list. @param {string | undefined} text */
function english(text) {
  if (text === undefined || text === '') return nothing;
  const lines = text.split('\n');
  if (lines.every((line) => line.startsWith('- ')))
    return html`<ul lang="en">${lines.map((line) => html`<li>${prose(line.slice(2))}</li>`)}</ul>`;
  return text.split('\n\n').map((paragraph) => html`<p lang="en">${prose(paragraph)}</p>`);
}

// --- Types ---

/** @param {string} reference */
const nameOf = (reference) => reference.split('/').at(-1) ?? '';

/** @param {readonly (TemplateResult | string)[]} parts */
const either = (parts) =>
  parts.map((part, index) => (index === 0 ? part : html` ${t('interface.or')} ${part}`));

/** The type of a value in a few words.
 * @param {Schema} schema
 * @returns {TemplateResult | string}
 */
function typeOf(schema) {
  if (schema.$ref !== undefined) {
    const name = nameOf(schema.$ref);
    return html`<a href=${`#${name}`}>${name}</a>`;
  }
  if (schema.enum !== undefined)
    return html`${either(schema.enum.map((value) => html`<code>${JSON.stringify(value)}</code>`))}`;
  if (schema.oneOf !== undefined) return html`${either(schema.oneOf.map(typeOf))}`;
  if (schema.items !== undefined) {
    const list = html`${t('interface.list_of')} ${typeOf(schema.items)}`;
    return schema.type === 'array' ? list : html`${either([list, 'null'])}`;
  }
  const types = [schema.type ?? 'object'].flat();
  const named = types.map((type) =>
    type === 'string' && schema.format !== undefined ? schema.format : type,
  );
  return html`${either(named)}`;
}

/** A line of a list of fields or parameters.
 * @param {string} name
 * @param {Schema} schema
 * @param {string} more
 * @param {string | undefined} description
 */
const field = (name, schema, more, description) =>
  html`<dt><code>${name}</code> <span class="kind">${typeOf(schema)}${more === '' ? nothing : ` · ${more}`}</span></dt>
    <dd>${english(description)}</dd>`;

/** The fields of an object, the variants of a choice, or the type of anything else.
 * @param {Schema} schema
 * @returns {TemplateResult}
 */
function shape(schema) {
  if (schema.allOf !== undefined) return html`${schema.allOf.map(part)}`;
  if (schema.oneOf !== undefined && !schema.oneOf.some(({ type }) => type === 'null'))
    return html`<p>${t('interface.one_of')}</p>
      ${schema.oneOf.map((variant) => html`<div class="variant">${english(variant.description)}${shape(variant)}</div>`)}`;
  if (schema.properties === undefined) return html`<p class="kind">${typeOf(schema)}</p>`;
  const fields = Object.entries(schema.properties);
  const isRequired = (/** @type {string} */ name) => schema.required?.includes(name) ?? false;
  return html`<dl>
      ${fields.map(([name, value]) => field(name, value, isRequired(name) ? t('interface.required') : '', value.description))}
    </dl>
    ${schema.additionalProperties === false ? html`<p class="kind">${t('interface.nothing_else')}</p>` : nothing}`;
}

/** A part of an object that is put together. @param {Schema} schema */
const part = (schema) =>
  schema.$ref === undefined ? shape(schema) : html`<p>${t('interface.also')} ${typeOf(schema)}</p>`;

/** @param {[string, Schema]} type */
const typeSection = ([name, schema]) =>
  html`<section class="type" id=${name}>
    <h3>${name}</h3>
    ${english(schema.description)} ${shape(schema)}
  </section>`;

// --- Operations ---

/** @param {Content | undefined} content */
const bodies = (content) =>
  Object.entries(content ?? {}).map(
    ([kind, { schema }]) =>
      html`<p><code>${kind}</code> ${schema === undefined ? nothing : typeOf(schema)}</p>`,
  );

/** @param {[string, Answer]} answer */
const answer = ([status, { description, content }]) =>
  html`<dt><code>${status}</code></dt>
    <dd>${english(description)} ${isProblem(status) ? nothing : bodies(content)}</dd>`;

/** @param {string} status */
const isProblem = (status) => Number(status) >= 400;

/** @param {Operation['security']} security */
function sessionWords(security) {
  if (security === undefined) return nothing;
  const isOptional = security.some((scheme) => Object.keys(scheme).length === 0);
  return html`<p>${t(isOptional ? 'interface.session_optional' : 'interface.session_required')}</p>`;
}

/**
 * @param {string} path
 * @param {string} method
 * @param {Operation} operation
 */
function operationPart(
  path,
  method,
  { operationId, summary, description, parameters, requestBody, responses, security },
) {
  const answers = Object.entries(responses);
  const where = (/** @type {Parameter} */ { in: place, required }) =>
    [t(`interface.${place}`), ...(required ? [t('interface.required')] : [])].join(' · ');
  return html`<details class="operation" id=${operationId}>
    <summary>
      <span class="method">${method.toUpperCase()}</span> <code>${path}</code>
      <span lang="en">${prose(summary)}</span>
    </summary>
    <div class="inside">
      ${english(description)} ${sessionWords(security)}
      ${
        parameters === undefined
          ? nothing
          : html`<h3>${t('interface.parameters')}</h3>
            <dl>${parameters.map((one) => field(one.name, one.schema, where(one), one.description))}</dl>`
      }
      ${requestBody === undefined ? nothing : html`<h3>${t('interface.body')}</h3>${bodies(requestBody.content)}`}
      <h3>${t('interface.answers')}</h3>
      <dl>${answers.filter(([status]) => !isProblem(status)).map(answer)}</dl>
      <h3>${t('interface.problems')}</h3>
      <p><code>${PROBLEM}</code> ${typeOf({ $ref: 'Problem' })}</p>
      <dl>${answers.filter(([status]) => isProblem(status)).map(answer)}</dl>
    </div>
  </details>`;
}

/** @param {Description} description */
function show({ paths, components, tags }) {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  render(
    html`<p>
        <a href=${DOCUMENT}>${t('interface.document')}</a><br />
        <a href=${PROTOCOL}>${t('interface.protocol')}</a>
      </p>
      <nav class="games-nav" aria-label=${t('interface.resources')}>
        ${tags.map(({ name }) => html`<a href=${`#resource-${name}`} lang="en">${name}</a>`)}
        <a href="#types">${t('interface.types')}</a>
      </nav>
      ${tags.map(
        ({ name, description }) => html`<section id=${`resource-${name}`}>
          <h2 lang="en">${name}</h2>
          ${english(description)}
          ${operations
            .filter(({ operation }) => operation.tags.includes(name))
            .map(({ path, method, operation }) => operationPart(path, method, operation))}
        </section>`,
      )}
      <section id="types">
        <h2>${t('interface.types')}</h2>
        ${Object.entries(components.schemas).map(typeSection)}
      </section>`,
    byId('interface'),
  );
}

/** Opens the operation that the address names, and shows it: it did not exist when the browser looked for it. */
function goToPart() {
  const part = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (part instanceof HTMLDetailsElement) part.open = true;
  part?.scrollIntoView();
}

/** @param {string} words */
function showTrouble(words) {
  render(html`<p class="notice">${words}</p>`, byId('interface'));
  announce(words, 'assertive');
}

window.addEventListener('hashchange', goToPart);
beginHeader();
try {
  const description = await untilAnswered(
    () => /** @type {Promise<Description>} */ (request('GET', DOCUMENT)),
    (error) => showTrouble(wordsOf(error)),
  );
  show(description);
  goToPart();
} catch (error) {
  showTrouble(wordsOf(error));
}
