import type { Event } from 'kubernetes-types/core/v1'
import {
  isJsonObject,
  type JsonObject,
  type KubeObject,
  parseApiVersion,
} from '../../engine/core/object'
import { pathWith } from '../client'
import type { Context } from '../command'
import { pathOf } from '../discovery'
import { StatusError } from '../errors'
import type { ClusterReader } from './description'
import { events } from './events'
import { descriptionOf } from './kinds'
import { Report } from './report'

/** Omits forbidden or missing related objects. @throws StatusError for other failures */
export async function describe(
  context: Context,
  object: JsonObject,
  showEvents: boolean,
): Promise<string> {
  const described = object as unknown as KubeObject
  const { group } = parseApiVersion(described.apiVersion)
  const description = descriptionOf(group, described.kind)
  const reader = readerOf(context)
  const related = await description.related(described, reader)
  const now = context.clock.now()
  const report = new Report()
  description.write(report, described, related, now)
  if (description.events && showEvents)
    events(report, await eventsOf(described, description.eventUids(described), reader), now)
  return report.text()
}

/** Missing and forbidden objects are omitted. */
function readerOf({ client, discovery }: Context): ClusterReader {
  const readRelated = async (
    resource: string,
    path: (found: Awaited<ReturnType<typeof discovery.find>>) => string,
  ): Promise<JsonObject | undefined> => {
    try {
      return await client.get(path(await discovery.find(resource)))
    } catch (error) {
      if (error instanceof StatusError && (error.code === 404 || error.code === 403))
        return undefined
      throw error
    }
  }
  return {
    async get<T>(resource: string, namespace: string | undefined, name: string) {
      return (await readRelated(resource, (found) => pathOf(found, namespace, name))) as
        | T
        | undefined
    },
    async list<T>(
      resource: string,
      namespace: string | undefined,
      { labels, fields }: { labels?: string; fields?: string } = {},
    ) {
      const list = await readRelated(resource, (found) =>
        pathWith(pathOf(found, namespace), {
          labelSelector: labels,
          fieldSelector: fields,
          limit: '500',
        }),
      )
      const { items } = list ?? {}
      return (Array.isArray(items) ? items.filter(isJsonObject) : []) as T[]
    },
  }
}

async function eventsOf(
  { kind, metadata }: KubeObject,
  uids: readonly string[],
  reader: ClusterReader,
): Promise<Event[]> {
  const lists = await Promise.all(
    uids.map((uid) => {
      const about = {
        'involvedObject.name': metadata.name,
        'involvedObject.namespace': metadata.namespace,
        'involvedObject.kind': kind,
        'involvedObject.uid': uid,
      }
      const fields = Object.entries(about).map(([field, value]) => `${field}=${value ?? ''}`)
      return reader.list<Event>('events', metadata.namespace, { fields: fields.join(',') })
    }),
  )
  return lists.flat()
}
