import { ANNOTATION } from '../core/names'
import { entryOf, type JsonObject, type KubeObject, type ObjectMeta } from '../core/object'
import { partialObjectMetadata } from '../encoding/partial-metadata'
import { encodeProtobufFrame } from '../encoding/protobuf/codec'
import { parseRevision } from '../registry/list'
import { selectionOf } from '../registry/selection'
import { type OpenWatch, type WatchEvent, watchObjects } from '../registry/watch'
import { canonicalize } from '../schema/canonical'
import { scopeOf } from '../telemetry/request-labels'
import { type Exchange, READ_ONLY, registryContext, streamOf } from './exchange'
import type { ApiResponse, StreamSink } from './messages'
import { listOptions } from './options'
import { jsonText, parseIncludeObject, shownAsStored, tableFor } from './respond'
import { verbNotSupported } from './routing'
import { failure, type Status } from './status'
import { servedObject, storedEventJson } from './stored-json'

/**
 * Unread bytes beyond the host's buffer, before a slow watcher is cut off to save memory. Its
 * client lists again.
 */
const MOST_UNREAD = 16 * 1024 * 1024

export async function handleWatch(requested: Exchange): Promise<ApiResponse> {
  const { info, resource, engine } = requested
  if (engine.watches.draining)
    throw failure(
      503,
      'ServiceUnavailable',
      'this server is being replaced: start the watch again',
      { retryAfterSeconds: 1 },
    )
  const raw = listOptions(info.query, true, { watchList: engine.featureGates.WatchList === true })
  const selection = selectionOf(
    resource,
    raw.selectors,
    info.legacyWatch ? info.parts[1] : undefined,
  )
  if (!resource.verbs.includes('watch')) throw verbNotSupported(resource, 'watch')
  // kube-apiserver 1.31 checks the resourceVersion last.
  parseRevision(raw.resourceVersion, false)
  const exchange = { ...requested, negotiated: streamOf(requested) }
  const encode = eventEncoder(exchange)
  const context = registryContext(exchange, READ_ONLY)
  const options = {
    selection,
    resourceVersion: raw.resourceVersion,
    allowBookmarks: raw.allowWatchBookmarks,
    timeoutSeconds: raw.timeoutSeconds,
    sendInitialEvents: raw.sendInitialEvents,
  }
  const isCompressed =
    engine.featureGates.WatchListCompression === true &&
    raw.sendInitialEvents === true &&
    raw.allowWatchBookmarks
  // A watch may end before it opens: at once, if its revision is compacted.
  const { open } = engine.watches
  // Events until the host starts reading.
  let waiting: (string | Uint8Array)[] | undefined = []
  let ended = false
  let sink: StreamSink | undefined
  let unread = 0
  let stream: OpenWatch | undefined
  function send(target: StreamSink, chunk: string | Uint8Array): void {
    unread = target.write(chunk) ? 0 : unread + chunk.length
    if (unread > MOST_UNREAD) cut(target)
  }
  stream = await watchObjects(context, options, {
    event(event) {
      if (ended) return
      const chunk = encode(event)
      if (chunk === undefined) close()
      else if (sink) send(sink, chunk)
      else waiting?.push(chunk)
      if (event.type === 'BOOKMARK' && event.initialEventsEnd) meterWatchList(exchange)
    },
    end() {
      finish()
    },
  })
  /** So that the host writes each event once. */
  function share(target: StreamSink): void {
    const join = target.join?.bind(target)
    if (join === undefined || !isUsualForm(exchange)) return
    stream?.delegate((prefix, handed) => engine.watchGroups.join(resource, prefix, handed, join))
  }
  function cut(target: StreamSink): void {
    ended = true
    engine.lists.watchTerminated(resource)
    sink = undefined
    open.delete(close)
    stream?.stop()
    target.abort()
  }
  function finish(): void {
    ended = true
    open.delete(close)
    sink?.end()
  }
  function close(): void {
    stream?.stop()
    finish()
  }
  // The server may drain while the watch opens.
  if (ended) stream.stop()
  else if (engine.watches.draining) close()
  else open.set(close, { resource, namespace: info.namespace })
  return {
    status: 200,
    headers: { 'content-type': exchange.negotiated.contentType },
    messages: 'events',
    ...(isCompressed ? { compressible: true as const } : {}),
    body: {
      start(target) {
        for (const chunk of waiting ?? []) target.write(chunk)
        waiting = undefined
        if (ended) target.end()
        else {
          sink = target
          share(target)
        }
        return () => {
          open.delete(close)
          stream?.stop()
        }
      },
    },
  }
}

function meterWatchList({ engine, trace, resource }: Exchange): void {
  const { attributes } = trace
  if (attributes === undefined) return
  const { group, version, resource: plural } = resource
  const of = { group, version, resource: plural, scope: scopeOf(attributes) }
  engine.lists.watchListed(of, trace.elapsed() / 1000)
}

type Bookmark = Extract<WatchEvent, { type: 'BOOKMARK' }>

/** undefined: the media type cannot show the event, so the stream ends. */
type EventEncoder = (event: WatchEvent) => string | Uint8Array | undefined

/** Only this form is cached. */
const isUsualForm = ({ negotiated, pretty }: Exchange): boolean =>
  negotiated.format === 'json' && negotiated.transform === undefined && !pretty

function eventEncoder(exchange: Exchange): EventEncoder {
  const { negotiated, resource } = exchange
  if (negotiated.transform?.kind === 'PartialObjectMetadataList')
    return (event) =>
      event.type === 'ERROR' ? framed(exchange, event.type, event.status) : undefined
  const toDocument = documentMaker(exchange)
  const isUsual = isUsualForm(exchange)
  return (event) => {
    if (isUsual && 'current' in event) return storedEventJson(event.type, event.current, resource)
    if (event.type === 'ERROR') return framed(exchange, event.type, event.status)
    return framed(exchange, event.type, toDocument(event))
  }
}

function framed(
  exchange: Exchange,
  type: string,
  object: JsonObject | Status,
): string | Uint8Array {
  if (exchange.negotiated.format === 'protobuf')
    return encodeProtobufFrame(type, object as JsonObject, exchange.engine.tables)
  return jsonText({ type, object }, false)
}

function documentMaker(
  exchange: Exchange,
): (event: Exclude<WatchEvent, { type: 'ERROR' }>) => JsonObject {
  const { negotiated, resource, info, engine } = exchange
  const { transform } = negotiated
  const foundIn = (event: Exclude<WatchEvent, Bookmark | { type: 'ERROR' }>) =>
    'current' in event ? event.current : event.object
  const objectOf = (event: Exclude<WatchEvent, { type: 'ERROR' }>): KubeObject =>
    event.type === 'BOOKMARK'
      ? bookmarkObject(exchange, event)
      : servedObject(foundIn(event), resource)
  if (transform?.kind === 'PartialObjectMetadata')
    return (event) =>
      partialObjectMetadata(objectOf(event), transform.version) as unknown as JsonObject
  if (transform?.kind !== 'Table') return (event) => objectOf(event) as unknown as JsonObject
  const includeObject = parseIncludeObject(info.query.get('includeObject') ?? '')
  let first = true
  return (event) => {
    const object = objectOf(event)
    const table = tableFor(resource, [object], {
      now: engine.clock.now(),
      includeObject,
      withColumns: first,
      listMeta: { resourceVersion: object.metadata.resourceVersion ?? '' },
      version: transform.version,
      ...(event.type === 'BOOKMARK' ? {} : shownAsStored([foundIn(event)], [object], resource)),
    })
    first = false
    return table
  }
}

/** Members that kube-apiserver's internal types always write. Recorded from kube-apiserver 1.31. */
const EMPTY_OBJECTS: Record<string, { annotations?: Record<string, string>; spec?: JsonObject }> = {
  daemonsets: { annotations: { 'deprecated.daemonset.template.generation': '0' } },
  deployments: { spec: { replicas: 0 } },
  replicasets: { spec: { replicas: 0 } },
  replicationcontrollers: { spec: { replicas: 0 } },
  statefulsets: { spec: { replicas: 0 } },
}

function bookmarkObject(
  { resource }: Exchange,
  { revision, initialEventsEnd }: Bookmark,
): KubeObject {
  const { annotations, spec } =
    (resource.custom ? undefined : entryOf(EMPTY_OBJECTS, resource.resource)) ?? {}
  const metadata: ObjectMeta = {
    resourceVersion: String(revision),
    ...(resource.custom ? {} : { creationTimestamp: null }),
  }
  if (annotations || initialEventsEnd)
    metadata.annotations = {
      ...annotations,
      ...(initialEventsEnd ? { [ANNOTATION.initialEventsEnd]: 'true' } : {}),
    }
  return canonicalize(resource.type, {
    kind: resource.kind,
    apiVersion: resource.apiVersion,
    metadata,
    ...(spec ? { spec } : {}),
  })
}
