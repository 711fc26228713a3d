/**
 * Sends sequences of malformed requests, each to a fresh server. The server must return a valid
 * response, must not fail internally, and must store what its responses report.
 */
import fc from 'fast-check'
import { problemOf } from './checks'
import { type FuzzRequest, NAMESPACE, recordedRequests } from './corpus'
import { type Mutation, mutated, mutation } from './mutations'
import { type FuzzedServer, fuzzedServer, send } from './server'
import { StoreModel } from './store-model'

export interface FuzzOptions {
  /** About how many requests are sent. */
  requests: number
  seed?: number
  /** Where a failure was found earlier, as fast-check names it. */
  path?: string
  /** Uses every `step`-th recorded request as a seed. */
  step: number
}

/** Requests of one sequence, on average. */
const SEQUENCE = 20

const encoder = new TextEncoder()
const json = (document: object): Uint8Array => encoder.encode(JSON.stringify(document))

const create = (target: string, document: object): FuzzRequest => ({
  method: 'POST',
  target,
  headers: { 'content-type': 'application/json' },
  body: json(document),
})

const IN_NAMESPACE = `/api/v1/namespaces/${NAMESPACE}`
/** What every sequence finds: objects for other requests to change. */
const BEGINNING: FuzzRequest[] = [
  create('/api/v1/namespaces', { metadata: { name: NAMESPACE } }),
  create(`${IN_NAMESPACE}/serviceaccounts`, { metadata: { name: 'default' } }),
  create(`${IN_NAMESPACE}/configmaps`, { metadata: { name: 'a' }, data: { a: '1' } }),
  create(`${IN_NAMESPACE}/secrets`, {
    metadata: { name: 'one', finalizers: ['example.com/hold'] },
    data: { a: 'eA==' },
  }),
]

/**
 * Sequences of requests to one server: those that stood behind one another in a recording build on
 * one another.
 */
function sequences(step: number): fc.Arbitrary<FuzzRequest[]> {
  const corpus = recordedRequests(step)
  const one = fc.record({ skip: fc.nat(2), mutations: fc.array(mutation, { maxLength: 3 }) })
  const chosen = fc.array(one, { minLength: 1, maxLength: 2 * SEQUENCE - 1, size: 'max' })
  return fc
    .record({ start: fc.nat(corpus.length - 1), chosen })
    .map(({ start, chosen: requests }) => {
      let at = start
      return requests.map(({ skip, mutations }) => {
        at = (at + skip) % corpus.length
        return malformed(corpus[at] as FuzzRequest, mutations)
      })
    })
}

/** @throws Error of fast-check naming the smallest sequence that fails, and how to repeat it */
export async function fuzz({ requests, seed, path, step }: FuzzOptions): Promise<number> {
  let sent = 0
  const property = fc.asyncProperty(sequences(step), async (sequence) => {
    sent += sequence.length
    await play(sequence)
  })
  const again = { ...(seed === undefined ? {} : { seed }), ...(path === undefined ? {} : { path }) }
  await fc.assert(property, { numRuns: Math.ceil(requests / SEQUENCE), ...again })
  return sent
}

/**
 * The Fetch API carries neither of what a host rejects: other methods than it knows and headers
 * with unprintable characters.
 */
function malformed(request: FuzzRequest, mutations: Mutation[]): FuzzRequest {
  const { headers, ...rest } = mutated(request, mutations)
  return {
    ...rest,
    headers: Object.fromEntries(
      Object.entries(headers).filter(([, value]) => /^[\x20-\x7e]*$/.test(value)),
    ),
  }
}

/** @throws Error naming the request after which something does not hold */
export async function play(requests: FuzzRequest[]): Promise<void> {
  const fuzzed = fuzzedServer()
  const model = new StoreModel(fuzzed)
  try {
    for (const request of BEGINNING) await checkedSend(fuzzed, request)
    await model.begin()
    for (const request of requests) {
      const { status } = await checkedSend(fuzzed, request)
      const problem = await model.after(request, status)
      if (problem !== undefined) throw new Error(problem)
    }
    const problem = await model.end()
    if (problem !== undefined) throw new Error(problem)
  } finally {
    await fuzzed.server.close()
  }
}

async function checkedSend(
  fuzzed: FuzzedServer,
  request: FuzzRequest,
): Promise<{ status: number }> {
  const response = await send(fuzzed, request)
  const problem = fuzzed.failures[0] ?? problemOf(request, response)
  if (problem !== undefined)
    throw new Error(`${described(request)}\n-> ${response.status}: ${problem}`)
  return response
}

function described({ method, target, headers, body }: FuzzRequest): string {
  return `${method} ${target}\n${JSON.stringify(headers)}\n${body === undefined ? '' : new TextDecoder().decode(body).slice(0, 3000)}`
}
