/** Clients that do anything at random, to one namespace's ConfigMaps of any server, while it fails in any way; and what is wrong then. */
import { type Chance, chanceOf } from '../robustness/chance'
import {
  type Attempt,
  contentOf,
  evaluate,
  type Followed,
  type Look,
  type Verdict,
} from './attempts'
import {
  type Event,
  faultOfRejection,
  Hang,
  Lost,
  type Stored,
  type TestRequest,
  type TestResponse,
} from './exchange'

/** A server with several endpoints, and its own failures. */
export interface World {
  /** @throws Lost, Hang */
  exchange(question: TestRequest): Promise<TestResponse>
  /** One connection of a watch, until it ends. @throws Lost */
  follow(
    path: string,
    onEvent: (event: Event) => void,
    signal: AbortSignal,
  ): Promise<{ code: number }>
  /** Each resolves when it has passed. */
  failures: Record<string, () => Promise<unknown>>
  /** Lists as every end of the server shows them at last. */
  lists(path: string): Promise<TestResponse[]>
}

export interface Conditions {
  seed: number
  milliseconds: number
  clients?: number
  watchers?: number
  /** Objects that the clients share. */
  names?: number
  /** Between failures, at most. */
  calm?: number
}

export type Findings = Verdict & { failures: Record<string, number> }

const NAMESPACE = 'history'
const MAPS = `/api/v1/namespaces/${NAMESPACE}/configmaps`
const MERGE = 'application/merge-patch+json'
const JSON_PATCH = 'application/json-patch+json'
const APPLY = 'application/apply-patch+yaml'

/** The clients'. */
const isOwn = ({ metadata: { name } }: Stored): boolean => /^(?:m\d+|last)$/.test(name)
const ownOf = (list: Stored): Stored => ({ ...list, items: list.items?.filter(isOwn) })

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** How far each watch has come, for failures that must not go further. */
export type Reached = readonly number[]

/**
 * @param worldOf makes the server; its argument reports the progress of the watches
 * @returns the faults found, and the amount of work checked
 */
export async function randomHistory(
  conditions: Conditions,
  worldOf: (chance: Chance, reached: Reached) => World,
): Promise<Findings> {
  const { seed, milliseconds, clients = 6, watchers = 3, names = 8, calm = 1_000 } = conditions
  const random = chanceOf('durability', seed)
  const reached: number[] = []
  const world = worldOf(chanceOf('world', seed), reached)
  const attempts: Attempt[] = []
  const looks: Look[] = []
  const followed: Followed[] = []
  const protocol: string[] = []
  const failures: Record<string, number> = {}
  let known = 0
  let tokens = 0
  let isOver = false
  /** No further writes follow: watches end when they have delivered all events. */
  let isReported = false
  const recordVersion = (version: string | undefined) => {
    known = Math.max(known, Number(version ?? 0))
  }

  /** Sends a request to any host. @returns undefined without a conclusive response */
  const sendRequest = async (question: TestRequest): Promise<TestResponse | undefined> => {
    try {
      const response = await world.exchange(question)
      const fault = faultOfRejection(response)
      if (fault) protocol.push(fault)
      return response
    } catch (error) {
      if (error instanceof Hang) protocol.push(error.message)
      if (!(error instanceof Lost) && !(error instanceof Hang)) throw error
      return undefined
    }
  }

  const write = async (
    attempt: Omit<Attempt, 'outcome' | 'known'>,
    question: TestRequest,
  ): Promise<void> => {
    const recorded: Attempt = { ...attempt, outcome: 'unknown', known }
    attempts.push(recorded)
    const response = await sendRequest(question)
    if (response === undefined) return
    const { code, object, status } = response
    if (code < 300) {
      recorded.outcome = 'acknowledged'
      if (attempt.verb === 'collection') return
      if (attempt.verb === 'delete') recorded.uid = status.details?.uid
      else {
        recorded.object = object
        recordVersion(object.metadata.resourceVersion)
      }
    } else if (code < 500 || code === 503) recorded.outcome = 'rejected'
    failures[`status ${code}`] = (failures[`status ${code}`] ?? 0) + 1
  }

  const read = async (name: string): Promise<Stored | undefined> => {
    const before = known
    const response = await sendRequest({ path: `${MAPS}/${name}` })
    if (response?.code !== 200 && response?.code !== 404) return undefined
    const object = response.code === 200 ? response.object : undefined
    looks.push({ known: before, name, object })
    recordVersion(object?.metadata.resourceVersion)
    return object
  }

  const list = async (limit: number): Promise<void> => {
    const before = known
    let whole: Stored | undefined
    for (let next: string | undefined = ''; next !== undefined; ) {
      const response: TestResponse | undefined = await sendRequest({
        path: `${MAPS}?limit=${limit}${next === '' ? '' : `&continue=${next}`}`,
      })
      if (response?.code !== 200) return
      const page = response.object
      if (whole && page.metadata.resourceVersion !== whole.metadata.resourceVersion)
        protocol.push(
          `a page is at ${page.metadata.resourceVersion}, the first one was at ${whole.metadata.resourceVersion}`,
        )
      if (whole === undefined) recordVersion(page.metadata.resourceVersion)
      whole = whole ? { ...whole, items: [...(whole.items ?? []), ...(page.items ?? [])] } : page
      next = page.metadata.continue || undefined
    }
    if (whole) looks.push({ known: before, list: ownOf(whole) })
  }

  const step = async (): Promise<void> => {
    const name = `m${random.below(names)}`
    const token = `t-${++tokens}`
    const object = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name },
      data: contentOf(token),
    }
    const path = `${MAPS}/${name}`
    switch (random.below(10)) {
      case 0:
      case 1:
        return write({ token, name, verb: 'create' }, { method: 'POST', path: MAPS, body: object })
      case 2: {
        const there = await read(name)
        if (there === undefined) return
        const { resourceVersion } = there.metadata
        const body = { ...object, metadata: { name, resourceVersion } }
        return write(
          { token, name, verb: 'update', onto: resourceVersion },
          { method: 'PUT', path, body },
        )
      }
      case 3:
        return write(
          { token, name, verb: 'merge' },
          { method: 'PATCH', path, body: { data: contentOf(token) }, type: MERGE },
        )
      case 4: {
        const there = await read(name)
        if (there === undefined) return
        const { resourceVersion } = there.metadata
        const body = [
          { op: 'test', path: '/metadata/resourceVersion', value: resourceVersion },
          { op: 'replace', path: '/data', value: contentOf(token) },
        ]
        return write(
          { token, name, verb: 'json', onto: resourceVersion },
          { method: 'PATCH', path, body, type: JSON_PATCH },
        )
      }
      case 5:
        return write(
          { token, name, verb: 'apply' },
          {
            method: 'PATCH',
            path: `${path}?fieldManager=history&force=true`,
            body: object,
            type: APPLY,
          },
        )
      case 6:
        if (random.below(8) === 0)
          return write({ token, name, verb: 'collection' }, { method: 'DELETE', path: MAPS })
        return write({ token, name, verb: 'delete' }, { method: 'DELETE', path })
      case 7:
        return list(0)
      case 8:
        return list(3)
      default:
        return void (await read(name))
    }
  }

  const client = async () => {
    while (!isOver) {
      await step()
      await pause(random.below(20))
    }
  }

  const stops: AbortController[] = []
  const watcher = async (index: number, from: number) => {
    const label = `watch-${index}`
    reached[index] = from
    for (let last = from; !(isReported && last >= known); ) {
      const connection: Followed = { watcher: label, from: last, events: [] }
      const stop = new AbortController()
      stops.push(stop)
      const path = `${MAPS}?watch=1&allowWatchBookmarks=true&resourceVersion=${last}`
      const onEvent = (reported: Event) => {
        // Controllers keep objects of their own here: of these only how far the watch has come counts.
        const event =
          reported.type === 'ERROR' || isOwn(reported.object)
            ? reported
            : { ...reported, type: 'BOOKMARK' }
        connection.events.push(event)
        if (event.type === 'ERROR')
          protocol.push(
            `${label} was ended from ${connection.from} with ${JSON.stringify(event.object)}`,
          )
        else reached[index] = last = Math.max(last, Number(event.object.metadata.resourceVersion))
      }
      const ended = await world.follow(path, onEvent, stop.signal).catch(() => ({ code: 0 }))
      followed.push(connection)
      if (ended.code !== 200) await pause(50)
    }
  }

  const failing: World['failures'] = {
    ...world.failures,
    'watches are cut': async () => {
      for (const stop of stops.splice(0)) stop.abort()
    },
  }

  try {
    const made = await world.exchange({
      method: 'POST',
      path: '/api/v1/namespaces',
      body: { metadata: { name: NAMESPACE } },
    })
    if (made.code !== 201) throw new Error(made.text)
    const from = Number(made.object.metadata.resourceVersion)
    recordVersion(made.object.metadata.resourceVersion)
    const work = [...Array.from({ length: clients }, client)]
    const watches = Array.from({ length: watchers }, (_, i) => watcher(i, from))
    const until = performance.now() + milliseconds
    while (performance.now() < until) {
      await pause(100 + random.below(calm))
      const kinds = Object.keys(failing)
      const what = kinds[random.below(kinds.length)] as string
      failures[what] = (failures[what] ?? 0) + 1
      await failing[what]?.()
    }
    isOver = true
    await Promise.all(work)
    // The last write, and the last event of every watch.
    const last: Stored | undefined = await lastWrite()
    if (last === undefined) protocol.push('nothing can be written any more')
    else {
      attempts.push({
        token: 't-0',
        name: 'last',
        verb: 'create',
        outcome: 'acknowledged',
        known: 0,
        object: last,
      })
      recordVersion(last.metadata.resourceVersion)
    }
    isReported = true
    for (const { object } of await world.lists(MAPS)) looks.push({ known, list: ownOf(object) })
    const deadline = performance.now() + 60_000
    let areAtEnd = false
    const atEnd = Promise.all(watches).then(() => {
      areAtEnd = true
    })
    while (!areAtEnd && performance.now() < deadline) {
      await pause(300)
      // Each begins again from where it is, and ends if it has everything.
      for (const stop of stops.splice(0)) stop.abort()
      await Promise.race([atEnd, pause(300)])
    }
    if (!areAtEnd) protocol.push('a watch does not come to the end')
    const { faults, counts } = evaluate(attempts, looks, followed)
    return { faults: [...protocol, ...faults], counts, failures }
  } finally {
    isOver = true
    isReported = true
    for (const stop of stops) stop.abort()
  }

  async function lastWrite(): Promise<Stored | undefined> {
    const body = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'last' },
      data: contentOf('t-0'),
    }
    for (let tries = 0; tries < 10; tries++) {
      const response = await sendRequest({ method: 'POST', path: MAPS, body })
      if (response?.code === 201) return response.object
      await pause(500)
    }
    return undefined
  }
}
