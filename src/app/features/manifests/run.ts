/** Processes every document in order, with a result each. */
import { isJsonObject, type Json, type JsonObject } from '../../../engine/core/object'
import { ApiFailure, type ApiResponse } from '../../state/client'
import { type ServedResource, useDiscovery } from '../../state/discovery'
import { pastProblem } from '../../state/moment'
import { findKind, type KindState } from '../../state/served'
import { runInSlices } from '../../state/slices'
import {
  clientSideApply,
  create,
  remove,
  replace,
  type SendOptions,
  type Sent,
  serverSideApply,
  type Target,
} from '../copy-as/verbs'
import { definesKind } from './definitions'
import { type ManifestDocument, manifestSteps } from './documents'
import { type Cause, failureOf, fieldsIn, QUOTE_TEXTS, UNSENT } from './failure'
import { RUN } from './texts'

export type Action = 'create' | 'apply' | 'replace' | 'dry-run' | 'delete'

export interface Result {
  /** `deployment.apps/web` */
  what: string
  line: number
  /** `created`, `configured`, `unchanged`, `deleted` …; a status code; UNSENT */
  outcome: string
  ok: boolean
  /** The server's error, or the page's before sending. */
  message?: string
  advice?: string
  /** The error is not in the text. */
  outside?: true
  /** The object's address, if it exists. */
  target?: ObjectAddress
  /** The rejected object. */
  address?: ObjectAddress
  /** The server's errors by field. */
  causes: Cause[]
  warnings: Warning[]
  /** For the request log; undefined if nothing was sent. */
  request?: string
  /** Before a repair, with the text of the file. */
  rejected?: { result: Result; text: string }
}

export interface ObjectAddress {
  resource: ServedResource
  namespace: string
  name: string
}

export interface Warning {
  message: string
  /** Empty where it names none. */
  field: string
}

/** The server (field ownership), or the client (three-way merge). */
export type ApplySide = 'server' | 'client'

export interface RunOptions extends Omit<SendOptions, 'dryRun'> {
  side: ApplySide
}

type Send = (target: Target, options: SendOptions) => Promise<Sent>

const APPLY: Record<ApplySide, Send> = { server: serverSideApply, client: clientSideApply }

function sendOf(action: Action, side: ApplySide): Send {
  if (action === 'apply' || action === 'dry-run') return APPLY[side]
  return { create, replace, delete: remove }[action]
}

export interface Progress {
  /** Before the first request. */
  onDocuments?(count: number): void
  onResult?(result: Result): void
  /** Ends the run after the request in flight, so that every result is known. */
  signal?: AbortSignal
}

/**
 * Continues after failures, as kubectl does. Sends nothing if the text is not YAML.
 * @returns one result per document, or those until the signal
 */
export async function runManifest(
  text: string,
  action: Action,
  options: RunOptions,
  { onDocuments, onResult, signal }: Progress = {},
): Promise<Result[]> {
  const { documents, problems } = await runInSlices(manifestSteps(text))
  if (problems.length > 0)
    return problems.map(({ message, startLine }, index) =>
      unsent(RUN.line(startLine), startLine, message, index === 0 ? RUN.yamlFirst : undefined),
    )
  if (documents.length === 0) return [unsent(RUN.thisManifest, 1, RUN.empty, RUN.emptyAdvice)]
  onDocuments?.(documents.length)
  const results: Result[] = []
  for (const document of documents) {
    if (signal?.aborted) break
    const result = await runDocument(document, documents, action, options)
    results.push(result)
    onResult?.(result)
  }
  return results
}

/** @param line first line of the document */
export async function runOne(
  text: string,
  line: number,
  action: Action,
  options: RunOptions,
): Promise<Result> {
  const { documents } = await runInSlices(manifestSteps(text))
  const document = documents.find((candidate) => candidate.line === line)
  return document
    ? runDocument(document, documents, action, options)
    : unsent(RUN.line(line), line, RUN.documentGone)
}

function unsent(what: string, line: number, message: string, advice?: string): Result {
  return {
    what,
    line,
    outcome: UNSENT,
    ok: false,
    message,
    ...(advice ? { advice } : {}),
    causes: [],
    warnings: [],
  }
}

async function runDocument(
  document: ManifestDocument,
  all: readonly ManifestDocument[],
  action: Action,
  options: RunOptions,
): Promise<Result> {
  const { side, ...sending } = options
  const target = await targetOf(document, all, action)
  if ('outcome' in target) return target
  const { what, line } = target
  const past = pastProblem()
  if (past !== undefined) return { ...unsent(what, line, RUN.past(past)), outside: true }
  const dryRun = action === 'dry-run'
  try {
    const { response, outcome } = await sendOf(action, side)(target, { ...sending, dryRun })
    return resultOf(target, response, dryRun ? RUN.dryRun(outcome) : outcome)
  } catch (error) {
    if (error instanceof ApiFailure) return resultOf(target, error.response, '')
    const reason = RUN.failed(error instanceof Error ? error.message : String(error))
    return { ...unsent(what, line, reason, RUN.failedAdvice), outside: true }
  }
}

interface Placed extends Target {
  what: string
  line: number
}

/** The document's resource, or an error. The default namespace is `default`, as in kubectl. */
async function targetOf(
  document: ManifestDocument,
  all: readonly ManifestDocument[],
  action: Action,
): Promise<Placed | Result> {
  const { value, line } = document
  const { apiVersion, kind } = value
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') {
    const named = nameIn(value)
    const which = typeof kind === 'string' ? kind.toLowerCase() : 'object'
    const what = named === '' ? RUN.document(line) : `${which}/${named}`
    return unsent(what, line, RUN.noKind, RUN.noKindAdvice)
  }
  const state = await findKind(apiVersion, kind)
  if (!('resource' in state)) return unserved(document, all, action, state)
  const { resource } = state
  const metadata = isJsonObject(value.metadata) ? value.metadata : {}
  const name = typeof metadata.name === 'string' ? metadata.name : ''
  const namespace = resource.namespaced ? String(metadata.namespace ?? 'default') : undefined
  const what = `${resource.kind.toLowerCase()}${resource.group === '' ? '' : `.${resource.group}`}/${name || `${metadata.generateName ?? ''}…`}`
  if (name === '' && action !== 'create') return nameless(what, line, metadata.name)
  const placed: JsonObject =
    namespace === undefined ? value : { ...value, metadata: { ...metadata, namespace } }
  return { what, line, resource, namespace, name, value: placed }
}

function nameIn({ metadata }: JsonObject): string {
  const { name } = isJsonObject(metadata) ? metadata : {}
  return typeof name === 'string' ? name : ''
}

/** Why the kind is not served: its definition is missing or not established, or a typo. */
function unserved(
  { value, line }: ManifestDocument,
  all: readonly ManifestDocument[],
  action: Action,
  state: KindState,
): Result {
  const [apiVersion, kind] = [String(value.apiVersion), String(value.kind)]
  const named = nameIn(value)
  const what = `${kind}${named === '' ? '' : `/${named}`} (${apiVersion})`
  const message = RUN.unknownKind
  if ('waiting' in state) {
    const { announcedBy, waiting } = state
    return {
      ...unsent(what, line, RUN.yet(message), RUN.notServedYet(announcedBy, waiting)),
      outside: true,
    }
  }
  const definition = all.find((document) => definesKind(document, apiVersion, kind))
  if (definition !== undefined)
    return {
      ...unsent(what, line, RUN.yet(message), adviceFor(definition, line, action)),
      outside: true,
    }
  const { resources } = useDiscovery.getState()
  const elsewhere = resources.find((entry) => entry.kind === kind && entry.verbs.includes('create'))
  const served =
    elsewhere &&
    RUN.servedIn(kind, `${elsewhere.group === '' ? '' : `${elsewhere.group}/`}${elsewhere.version}`)
  return unsent(what, line, message, served ?? RUN.spelling)
}

/** @param definition in the same file, and not stored */
function adviceFor(definition: ManifestDocument, line: number, action: Action): string {
  if (action === 'dry-run') return RUN.dryRunDefinition
  if (definition.line > line) return RUN.definitionLater
  return RUN.definitionInvalid
}

/** @param name the invalid metadata.name */
function nameless(what: string, line: number, name: Json | undefined): Result {
  if (name === undefined || name === null || name === '')
    return unsent(what, line, RUN.noName, RUN.noNameAdvice)
  const shown = JSON.stringify(name)
  return unsent(what, line, RUN.wrongName(shown), QUOTE_TEXTS)
}

function resultOf(
  { what, line, resource, namespace = '', name }: Placed,
  response: ApiResponse,
  outcome: string,
): Result {
  const warnings = response.warnings.map((message) => ({
    message,
    field: fieldsIn(message)[0]?.field ?? '',
  }))
  const id = response.headers['audit-id']
  const sent = id === undefined ? {} : { request: id }
  if (!response.ok)
    return {
      what,
      line,
      outcome: String(response.status),
      ok: false,
      ...failureOf(response),
      address: { resource, namespace, name },
      warnings,
      ...sent,
    }
  const made =
    name || (response.json as { metadata?: { name?: string } } | undefined)?.metadata?.name
  const target = made ? { target: { resource, namespace, name: made } } : {}
  return {
    what: name || !made ? what : what.replace(/[^/]*$/, made),
    line,
    outcome,
    ok: true,
    ...target,
    causes: [],
    warnings,
    ...sent,
  }
}
