/**
 * Every recorded write with the object before it: these check ownership rules without a server. The
 * recordings show every write, so the object before each write is complete.
 */
import {
  isJsonObject,
  type Json,
  type JsonObject,
  type KubeObject,
  parseApiVersion,
} from '../../src/engine/object'
import { builtinModel } from '../../src/engine/schema/builtin'
import { modelOfCustomSchema } from '../../src/engine/schema/custom'
import type { StructType } from '../../src/engine/schema/model'
import { FOLDERS, readRecordings, recordingFiles } from '../conformance/recording-files'
import { fill } from '../conformance/replay'

export interface RecordedWrite {
  /** `apply-basics: no-op-apply/deploy-again` */
  where: string
  method: string
  contentType: string
  query: URLSearchParams
  /** Empty for the main resource. */
  subresource: string
  userAgent: string
  body: string
  /** The last recorded state of the object; undefined if it did not exist. */
  live: KubeObject | undefined
  /** The object in the response. */
  response: KubeObject
  type: StructType
  /** The types of the versions of a custom kind. */
  typeOf(apiVersion: string): StructType | undefined
  status: number
}

interface Step {
  id: string
  request: { method: string; path: string; headers?: Record<string, string>; body?: string | null }
  response: { status: number; headers: Record<string, string>; text?: string }
}

const WRITES = new Set(['POST', 'PUT', 'PATCH'])

/** @param files names of recordings, all if omitted */
export function* recordedWrites(files?: RegExp): Generator<RecordedWrite> {
  for (const file of FOLDERS.slice(0, 1).flatMap((folder) => recordingFiles(folder))) {
    if (files !== undefined && !files.test(file.name)) continue
    for (const recording of readRecordings(file)) {
      const cluster = new RecordedCluster()
      const responses: Record<string, unknown> = { ns: recording.ns }
      for (const step of recording.steps as unknown as Step[]) {
        const write = cluster.follow(step, responses, `${file.name}: ${recording.name}/${step.id}`)
        responses[step.id] = objectIn(step.response.text)
        if (write !== undefined) yield write
      }
    }
  }
}

function objectIn(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}

/** The state of a cluster, from the responses of one recording. */
class RecordedCluster {
  private readonly objects = new Map<string, KubeObject>()
  private readonly customTypes = new Map<string, StructType>()

  follow(step: Step, responses: Record<string, unknown>, where: string): RecordedWrite | undefined {
    const { method, headers = {} } = step.request
    const url = new URL(`http://recorded${fill(step.request.path, responses)}`)
    const response = objectIn(step.response.text)
    if (step.response.status >= 300 || !isObject(response) || url.searchParams.has('watch'))
      return undefined
    if (Array.isArray((response as unknown as JsonObject).items)) {
      for (const item of (response as unknown as { items: KubeObject[] }).items)
        this.note({
          ...item,
          kind: response.kind.replace(/List$/, ''),
          apiVersion: response.apiVersion,
        })
      return undefined
    }
    if (response.kind === 'Status' || !response.metadata?.name) {
      if (method === 'DELETE') this.objects.clear()
      return undefined
    }
    const key = keyOf(response)
    const live = this.objects.get(key)
    if (!url.searchParams.has('dryRun')) this.note(response)
    if (method === 'DELETE') {
      this.objects.delete(key)
      return undefined
    }
    const type = this.typeOf(response)
    if (!WRITES.has(method) || type === undefined) return undefined
    const body =
      step.request.body === undefined || step.request.body === null
        ? ''
        : fill(step.request.body, responses)
    const contentType =
      (headers['content-type'] ?? headers['Content-Type'] ?? '').split(';')[0] ?? ''
    return {
      where,
      method,
      contentType,
      query: url.searchParams,
      subresource: subresourceOf(url.pathname, response),
      userAgent: headers['user-agent'] ?? headers['User-Agent'] ?? 'recorder/1',
      body,
      live: method === 'POST' ? undefined : live,
      response,
      type,
      typeOf: (apiVersion) => this.typeOf({ ...response, apiVersion }),
      status: step.response.status,
    }
  }

  private note(object: KubeObject): void {
    if (object.kind === 'CustomResourceDefinition') this.define(object)
    this.objects.set(keyOf(object), object)
  }

  private define(definition: KubeObject): void {
    const { group, names, versions } = definition.spec as {
      group: string
      names: { kind: string }
      versions: { name: string; schema?: { openAPIV3Schema?: JsonObject } }[]
    }
    for (const { name, schema } of versions) {
      this.customTypes.set(
        `${group}/${name}/${names.kind}`,
        modelOfCustomSchema(schema?.openAPIV3Schema ?? {}),
      )
    }
  }

  private typeOf({ apiVersion, kind }: KubeObject): StructType | undefined {
    const { group, version } = parseApiVersion(apiVersion)
    return (
      this.customTypes.get(`${group}/${version}/${kind}`) ??
      builtinModel().byKind(group, version, kind)
    )
  }
}

function isObject(value: unknown): value is KubeObject {
  return (
    isJsonObject(value as Json) &&
    typeof (value as JsonObject).kind === 'string' &&
    typeof (value as JsonObject).apiVersion === 'string'
  )
}

/** Versions of one group share their objects. */
function keyOf({ apiVersion, kind, metadata }: KubeObject): string {
  return `${parseApiVersion(apiVersion).group}/${kind}/${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`
}

function subresourceOf(path: string, response: KubeObject): string {
  const parts = path.split('/').filter((part) => part !== '')
  const at = parts.lastIndexOf(response.metadata.name ?? '')
  return at < 0 ? '' : parts.slice(at + 1).join('/')
}
