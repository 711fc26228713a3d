/** Accepts messages only from the parent window, and only from the origin in the address. */
import { engineTarget } from '../../hosts/shared/paths'
import { useClassroom } from '../features/lessons/classroom'
import { useEditors } from '../features/manifests/editors'
import { runManifest } from '../features/manifests/run'
import { takeIn } from '../features/share/arrival'
import { resetCluster } from '../features/share/cluster'
import { decodeScenario } from '../features/share/link'
import { type Actor, useActors } from '../state/actors'
import { type ApiRequest, sendRequest } from '../state/client'
import { useCluster } from '../state/cluster'
import { useConnection } from '../state/connection'
import { resourceAt, useDiscovery } from '../state/discovery'
import { PARENT_ORIGIN } from '../state/embed-parameters'
import { useRequests } from '../state/requests'
import { useSettings } from '../state/settings'
import { selectObject, useView } from '../state/view'
import { isPanel, PANELS_SHOWN, showPanel } from './panels'
import { whenPrepared } from './prepared'
import {
  type Arguments,
  type ChangeEvent,
  type Command,
  type CommandResponse,
  commandOf,
  type FrameEvent,
  idOf,
  isMeant,
  PROTOCOL,
} from './protocol'
import * as texts from './texts'

/** Further concurrent commands fail. */
const MOST_AT_ONCE = 50
const GATHER_MILLISECONDS = 200
const MOST_CHANGES = 200

let underWay = 0

/** Does nothing without a parent window of a known origin. */
export function speakWithParent(): void {
  if (PARENT_ORIGIN === '' || window.parent === window) return
  const send = (message: object) => window.parent.postMessage(message, PARENT_ORIGIN)
  const post = (event: FrameEvent) => send({ kubetab: PROTOCOL, ...event })
  addEventListener('message', ({ source, origin, data }: MessageEvent<unknown>) => {
    if (source !== window.parent || origin !== PARENT_ORIGIN || !isMeant(data)) return
    void handleMessage(data).then((response) => response && send(response))
  })
  void whenPrepared().then(() => {
    post({ event: 'ready', ...introduction() })
    postRequests(post)
    postChanges(post)
    postSteps(post)
  })
}

async function handleMessage(data: object): Promise<CommandResponse | undefined> {
  const id = idOf(data)
  if (id === undefined) return undefined
  if (underWay >= MOST_AT_ONCE)
    return { kubetab: PROTOCOL, id, ok: false, error: texts.tooMany(MOST_AT_ONCE) }
  underWay++
  try {
    const command = commandOf(data)
    await whenPrepared()
    return { kubetab: PROTOCOL, id, ok: true, result: await inTurn(() => obey(command)) }
  } catch (error) {
    return {
      kubetab: PROTOCOL,
      id,
      ok: false,
      error: error instanceof Error ? error.message : String(error),
    }
  } finally {
    underWay--
  }
}

let before: Promise<unknown> = Promise.resolve()

function inTurn(work: () => unknown): Promise<unknown> {
  const done = before.then(work)
  before = done.catch(() => undefined)
  return done
}

function obey({ command, args }: Command): unknown {
  switch (command) {
    case 'ready':
      return introduction()
    case 'load':
      return load(args)
    case 'open':
      useEditors.getState().open({ ...args, language: 'yaml' })
      return {}
    case 'apply':
      return apply(args)
    case 'request':
      return request(args)
    case 'show':
      return show(args)
    case 'theme':
      useView.getState().set({ theme: args.theme })
      return {}
    case 'reset':
      useView.getState().set({ selected: undefined })
      return resetCluster().then(() => ({}))
  }
}

const introduction = () => ({
  release: useSettings.getState().settings?.release ?? '',
  panels: PANELS_SHOWN.map(({ name }) => name),
})

/** Scripts open without running. */
async function load({ scenario: link }: Arguments<'load'>): Promise<object> {
  const scenario = decodeScenario(link.slice(link.indexOf('#') + 1))
  if (scenario === undefined) throw new Error(texts.noScenario)
  await takeIn(scenario)
  return { objects: scenario.objects.length }
}

async function apply({ manifest }: Arguments<'apply'>): Promise<object> {
  const results = await runManifest(manifest, 'apply', {
    fieldManager: '',
    fieldValidation: 'Strict',
    side: 'server',
    force: false,
  })
  return {
    results: results.map(({ what, outcome, ok, message }) => ({
      what,
      outcome,
      ok,
      ...(message === undefined ? {} : { message }),
    })),
  }
}

async function request({ as, path, ...rest }: Arguments<'request'>): Promise<object> {
  const url = new URL(path, 'http://localhost')
  // A path outside the API would be fetched from the site of the page.
  if (!path.startsWith('/') || url.host !== 'localhost' || engineTarget(url, '/')?.workspace !== '')
    throw new Error(texts.noPath)
  const { searchParams } = url
  if (searchParams.has('follow') || ['1', 'true'].includes(searchParams.get('watch') ?? ''))
    throw new Error(texts.noStreams)
  const apiRequest: ApiRequest = { ...rest, path: url.pathname + url.search }
  const actor = actorOf(as)
  const { status, headers, text } = await sendRequest(actor ? { ...apiRequest, actor } : apiRequest)
  return { status, headers, body: text }
}

function actorOf(name: string | undefined): Actor | undefined {
  if (name === undefined) return undefined
  const actor = useActors.getState().actors.find((one) => one.name === name)
  if (actor === undefined) throw new Error(texts.unknownUser(name))
  return actor
}

function show({ panel, object }: Arguments<'show'>): object {
  if (panel !== undefined) {
    if (!isPanel(panel)) {
      const panels = PANELS_SHOWN.map(({ name }) => name)
      throw new Error(texts.unknownPanel(panel, panels))
    }
    showPanel(panel)
  }
  if (object === undefined) return {}
  const resource = resourceAt(useDiscovery.getState().resources, { ...object, version: '' })
  if (resource === undefined) throw new Error(texts.notServed(object.resource, object.group))
  selectObject({ resource, namespace: object.namespace, name: object.name })
  return {}
}

type Post = (event: FrameEvent) => void

function postRequests(post: Post): void {
  const posted = new Set<number>()
  useRequests.subscribe(({ log }, before) => {
    if (log === before.log) return
    const [oldest] = log
    for (const id of posted) if (id < (oldest?.id ?? Number.POSITIVE_INFINITY)) posted.delete(id)
    for (const { id, origin, open, method, path, who, status, milliseconds = 0 } of log) {
      if (origin === 'page' || open || status === undefined || posted.has(id)) continue
      posted.add(id)
      post({ event: 'request', method, path, who, status, milliseconds: Math.round(milliseconds) })
    }
  })
}

function postChanges(post: Post): void {
  let after = useCluster.getState().revision
  let waiting = false
  const gather = async () => {
    waiting = false
    const timeline = await useConnection
      .getState()
      .connection?.channel.request('timeline', { after })
    if (timeline === undefined || timeline.changes.length === 0) return
    after = timeline.newest
    const changes = timeline.changes.slice(-MOST_CHANGES).map(
      ({ type, kind, namespace, name, revision }): ChangeEvent => ({
        type,
        kind,
        namespace,
        name,
        revision,
      }),
    )
    post({ event: 'change', revision: after, changes })
  }
  useCluster.subscribe(({ revision }) => {
    // A reset restarts the revisions.
    if (revision < after) after = 0
    if (waiting || revision <= after) return
    waiting = true
    setTimeout(() => void gather().catch(() => undefined), GATHER_MILLISECONDS)
  })
}

function postSteps(post: Post): void {
  useClassroom.subscribe(({ lesson, done }, before) => {
    if (lesson && done !== before.done)
      post({ event: 'lesson-step', lesson: lesson.id, done, steps: lesson.steps.length })
  })
}
