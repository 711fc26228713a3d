/** Runs a test set: sends each case's request as a dry run, and compares the response. */
import { isJsonObject, type KubeObject } from '../engine/core/object'
import { loadTables } from '../engine/release-tables/load-tables'
import { DEFAULT_RELEASE } from '../engine/releases/release'
import { type Response, TestCluster, type TestEnvironment, withoutIdentity } from './cluster'
import { unmet } from './expectations'
import { isBinding } from './order'
import { TestSetError } from './test-set-error'
import type { CaseResponse, CaseResult, TestCase, TestSet } from './types'

/** @throws TestSetError if the cluster cannot be created */
export async function runTestSet(
  { objects, tests }: TestSet,
  environment: TestEnvironment,
): Promise<CaseResult[]> {
  await loadTables(environment.release ?? DEFAULT_RELEASE)
  const cluster = new TestCluster(environment)
  try {
    for (const object of objects) if (!isBinding(object)) await cluster.put(object)
    const entries = tests.flatMap((test) => test.cases.map((tried) => ({ test: test.name, tried })))
    const bindings = objects.filter(isBinding)
    const results = new Map<TestCase, CaseResult>()
    const stored: KubeObject[] = []
    for (const round of await roundsOf(entries, cluster)) {
      const problems = await withoutBindings(cluster, bindings, () =>
        storeBefore(cluster, round, stored),
      )
      for (const { test, tried } of round)
        results.set(tried, await runCase(cluster, test, tried, problems.get(tried)))
    }
    return entries.flatMap(({ tried }) => results.get(tried) ?? [])
  } finally {
    await cluster.close()
  }
}

interface Entry {
  test: string
  tried: TestCase
}

/** Cases with different objects at one path run in different rounds. */
async function roundsOf(entries: readonly Entry[], cluster: TestCluster): Promise<Entry[][]> {
  const rounds: { entries: Entry[]; needed: Map<string, string> }[] = []
  for (const entry of entries) {
    const { place, content } = await neededBy(entry.tried, cluster)
    let round = rounds.find(({ needed }) => (needed.get(place) ?? content) === content)
    if (round === undefined) {
      round = { entries: [], needed: new Map() }
      rounds.push(round)
    }
    if (place !== '') round.needed.set(place, content)
    round.entries.push(entry)
  }
  return rounds.map((round) => round.entries)
}

/** The object before the request, none for a create; empty for a case that cannot run. */
async function neededBy(
  { oldObject, object }: TestCase,
  cluster: TestCluster,
): Promise<{ place: string; content: string }> {
  try {
    const { item, collection } = await cluster.pathOf(
      (oldObject ?? object) as unknown as KubeObject,
    )
    return {
      place: item === `${collection}/` ? '' : item,
      content: JSON.stringify(oldObject ?? null),
    }
  } catch (error) {
    if (error instanceof TestSetError) return { place: '', content: '' }
    throw error
  }
}

/** Policies must not reject the objects that exist before a request. */
async function withoutBindings<Result>(
  cluster: TestCluster,
  bindings: readonly KubeObject[],
  run: () => Promise<Result>,
): Promise<Result> {
  for (const binding of bindings) await cluster.remove(binding)
  const result = await run()
  for (const binding of bindings) await cluster.put(binding)
  return result
}

/**
 * @param stored the previous round's objects, deleted now @returns why an object could not be
 * stored
 */
async function storeBefore(
  cluster: TestCluster,
  round: readonly Entry[],
  stored: KubeObject[],
): Promise<Map<TestCase, string>> {
  for (const object of stored.splice(0)) await cluster.remove(object)
  const problems = new Map<TestCase, string>()
  for (const { tried } of round) {
    if (tried.oldObject === undefined) continue
    try {
      const object = tried.oldObject as unknown as KubeObject
      await cluster.put(object)
      stored.push(object)
    } catch (error) {
      if (!(error instanceof TestSetError)) throw error
      problems.set(tried, `what is there before cannot be made: ${error.message}`)
    }
  }
  return problems
}

const METHODS = { CREATE: 'POST', UPDATE: 'PUT', DELETE: 'DELETE' } as const

async function runCase(
  cluster: TestCluster,
  test: string,
  tried: TestCase,
  problem: string | undefined,
): Promise<CaseResult> {
  const { name, operation, subresource, object, oldObject, user, expect } = tried
  const broken = (why: string, request: string): CaseResult => ({
    test,
    name,
    request,
    outcome: 'broken',
    problems: [why],
    response: undefined,
  })
  const about = (object ?? oldObject) as unknown as KubeObject
  try {
    // A subresource request needs the stored object.
    const target = await cluster.pathOf(
      subresource === '' || oldObject === undefined ? about : (oldObject as unknown as KubeObject),
    )
    const { place, item, collection, namespace } = target
    const resource = `${place.plural}${place.group === '' ? '' : `.${place.group}`}${subresource === '' ? '' : `/${subresource}`}`
    const named = about.metadata?.name ?? about.metadata?.generateName ?? ''
    const request = `${operation} ${resource} ${namespace === '' ? '' : `${namespace}/`}${named}`
    if (problem !== undefined) return broken(problem, request)
    const path =
      operation === 'CREATE' && subresource === ''
        ? collection
        : `${item}${subresource === '' ? '' : `/${subresource}`}`
    const body = object === undefined ? undefined : withoutIdentity(object as unknown as KubeObject)
    const response = responseOf(
      await cluster.send(METHODS[operation], `${path}?dryRun=All`, body, user),
    )
    const problems = expect === undefined ? [] : unmet(expect, response)
    const outcome = expect === undefined ? 'shown' : problems.length === 0 ? 'passed' : 'failed'
    return { test, name, request, outcome, problems, response }
  } catch (error) {
    if (!(error instanceof TestSetError)) throw error
    return broken(error.message, operation)
  }
}

function responseOf({ status, body, warnings, trace }: Response): CaseResponse {
  const allowed = status < 400
  const details = isJsonObject(body.details) ? body.details : {}
  const causes = Array.isArray(details.causes) ? details.causes.filter(isJsonObject) : []
  const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
  return {
    status,
    allowed,
    message: allowed ? '' : textOf(body.message),
    reason: allowed ? '' : textOf(body.reason),
    causes: causes.map(({ field, message }) => ({
      field: textOf(field),
      message: textOf(message),
    })),
    warnings,
    auditAnnotations: Object.fromEntries(
      Object.entries(trace?.annotations ?? {}).filter(([key]) => !key.startsWith('authorization.')),
    ),
    findings: trace?.policies ?? [],
    object: allowed ? body : undefined,
  }
}
