// Called with each request below /apis/quotes.example.com/v1. The result is the response as JSON,
// or { status, headers, body }; a body that is an async iterator is streamed.
const apiVersion = 'quotes.example.com/v1'
const quotes = new Map()
const watchers = new Set()
let revision = 1

function failure(code, reason, message) {
  return {
    status: code,
    body: {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      code,
      reason,
      message,
    },
  }
}

function put(quote) {
  const known = quotes.get(quote.metadata.name)
  const metadata = {
    uid: `quote-${revision}`,
    creationTimestamp: new Date().toISOString(),
    ...known?.metadata,
    ...quote.metadata,
  }
  const stored = { ...quote, metadata: { ...metadata, resourceVersion: String(++revision) } }
  quotes.set(stored.metadata.name, stored)
  for (const send of watchers) send({ type: known ? 'MODIFIED' : 'ADDED', object: stored })
  return stored
}

async function* watch() {
  const events = [...quotes.values()].map((object) => ({ type: 'ADDED', object }))
  let wake = () => {}
  watchers.add((event) => {
    events.push(event)
    wake()
  })
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
      resources: [
        {
          name: 'quotes',
          singularName: 'quote',
          namespaced: false,
          kind: 'Quote',
          verbs: ['create', 'delete', 'get', 'list', 'watch'],
        },
      ],
    }
  if (resource !== 'quotes') return failure(404, 'NotFound', 'there are only quotes here')
  if (method === 'POST') return { status: 201, body: put({ ...body, apiVersion, kind: 'Quote' }) }
  if (name === undefined && query.watch) return { body: watch() }
  if (name === undefined)
    return {
      apiVersion,
      kind: 'QuoteList',
      metadata: { resourceVersion: String(revision) },
      items: [...quotes.values()],
    }
  const quote = quotes.get(name)
  if (quote === undefined)
    return failure(404, 'NotFound', `quotes.quotes.example.com "${name}" not found`)
  if (method === 'DELETE') {
    quotes.delete(name)
    for (const send of watchers) send({ type: 'DELETED', object: quote })
  }
  return quote
}
