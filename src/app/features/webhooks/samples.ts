/** Handlers to begin with: each with the address that its configuration names. */

export interface HandlerSample {
  name: string
  about: string
  address: string
  source: string
}

export const HANDLER_SAMPLES: readonly HandlerSample[] = [
  {
    name: 'add-label',
    about: 'Mutating webhook: adds a label to new objects',
    address: 'https://hooks.example.com/add-label',
    source: `// Called with the request of each AdmissionReview. A returned array is a JSON Patch.
function admit({ object, operation, userInfo }) {
  console.log(operation, object.kind, object.metadata.name, 'by', userInfo.username)
  const labels = object.metadata.labels ? [] : [{ op: 'add', path: '/metadata/labels', value: {} }]
  return [...labels, { op: 'add', path: '/metadata/labels/seen-by', value: 'my-webhook' }]
}
`,
  },
  {
    name: 'require-owner',
    about: 'Validating webhook: rejects objects without an owner label',
    address: 'https://hooks.example.com/require-owner',
    source: `// Nothing or true allows; false denies, and a string denies with a reason.
// An object is the response itself: allowed, status, warnings, auditAnnotations.
function admit({ object }) {
  const { owner } = object.metadata.labels ?? {}
  if (owner === undefined) return 'every object here needs the label "owner"'
  return { allowed: true, warnings: owner === 'none' ? ['"none" is a strange owner'] : [], auditAnnotations: { owner } }
}
`,
  },
  {
    name: 'convert-shirts',
    about: 'Conversion webhook: converts between versions',
    address: 'https://hooks.example.com/convert-shirts',
    source: `// Called with each object of a ConversionReview. v1 has a string, "spec.size": "40x70"; v2 has two numbers.
// What it throws is what clients read.
function convert(object, apiVersion) {
  const { size, chest, length, ...rest } = object.spec ?? {}
  if (apiVersion.endsWith('/v2')) {
    const [, width, height] = /^(\\d+)x(\\d+)$/.exec(size ?? '') ?? []
    if (width === undefined) throw new Error(\`"\${size}" is not a size\`)
    return { ...object, spec: { ...rest, chest: Number(width), length: Number(height) } }
  }
  return { ...object, spec: { ...rest, size: \`\${chest}x\${length}\` } }
}
`,
  },
  {
    name: 'quotes-api',
    about: 'Aggregated API server: serves a resource from this page',
    address: 'default/quotes',
    source: `// Called with each request below /apis/quotes.example.com/v1. The result is the response as JSON,
// or { status, headers, body }; a body that is an async iterator is streamed.
const apiVersion = 'quotes.example.com/v1'
const quotes = new Map()
const watchers = new Set()
let revision = 1

function failure(code, reason, message) {
  return { status: code, body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code, reason, message } }
}

function put(quote) {
  const known = quotes.get(quote.metadata.name)
  const metadata = { uid: \`quote-\${revision}\`, creationTimestamp: new Date().toISOString(), ...known?.metadata, ...quote.metadata }
  const stored = { ...quote, metadata: { ...metadata, resourceVersion: String(++revision) } }
  quotes.set(stored.metadata.name, stored)
  for (const send of watchers) send({ type: known ? 'MODIFIED' : 'ADDED', object: stored })
  return stored
}

async function* watch() {
  const events = [...quotes.values()].map((object) => ({ type: 'ADDED', object }))
  let wake = () => {}
  watchers.add((event) => (events.push(event), wake()))
  for (;;) {
    while (events.length > 0) yield events.shift()
    await new Promise((resolve) => (wake = resolve))
  }
}

function serve({ method, path, query, headers, body }) {
  console.log(method, path, 'for', headers['x-remote-user'])
  const [, , , , resource, name] = path.split('/')
  if (resource === undefined)
    return {
      kind: 'APIResourceList',
      apiVersion: 'v1',
      groupVersion: apiVersion,
      resources: [{ name: 'quotes', singularName: 'quote', namespaced: false, kind: 'Quote', verbs: ['create', 'delete', 'get', 'list', 'watch'] }],
    }
  if (resource !== 'quotes') return failure(404, 'NotFound', 'there are only quotes here')
  if (method === 'POST') return { status: 201, body: put({ ...body, apiVersion, kind: 'Quote' }) }
  if (name === undefined && query.watch) return { body: watch() }
  if (name === undefined)
    return { apiVersion, kind: 'QuoteList', metadata: { resourceVersion: String(revision) }, items: [...quotes.values()] }
  const quote = quotes.get(name)
  if (quote === undefined) return failure(404, 'NotFound', \`quotes.quotes.example.com "\${name}" not found\`)
  if (method === 'DELETE') {
    quotes.delete(name)
    for (const send of watchers) send({ type: 'DELETED', object: quote })
  }
  return quote
}
`,
  },
]
