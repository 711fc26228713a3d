/**
 * Searches repairs of a rejected request. A repair is returned only if the request passed in a
 * branch after it.
 */
import { equalJson } from '../core/object'
import type { ActingUser, Branches, BranchResponse } from './branch'
import { explanationsOf } from './explanations'
import { REPAIR_KINDS } from './kinds'
import { edited } from './place'
import { objectOf, rejectionOf } from './rejection'
import type { Candidate, Edit, Rejection, RepairWrite, SentRequest } from './repair'

export interface Repair {
  kind: string
  title: string
  writes: readonly RepairWrite[]
  edits: readonly Edit[]
  /** As it passed. */
  request: SentRequest
}

export interface Found {
  response: BranchResponse
  explanations: readonly string[]
  repairs: Repair[]
}

/** Rejections that follow each other until the request passes. */
const MOST_STEPS = 5
/** Bounds the work of one review. */
const MOST_BRANCHES = 40

interface Step extends Candidate {
  kind: string
}

export async function searchRepairs(
  branches: Branches,
  request: SentRequest,
  user: ActingUser | undefined,
): Promise<Found> {
  const search = new Search(branches, request, user)
  const { response, next, explanations } = await search.attempt([])
  const repairs: Repair[] = []
  for (const steps of next) {
    const found = await search.firstPassing([], steps)
    if (found) repairs.push(search.repairOf(found))
  }
  const reasons = repairs.length > 0 ? explanations : [...explanations, ...search.deadEnds]
  return { response, explanations: reasons, repairs: distinct(repairs) }
}

interface Attempt {
  response: BranchResponse
  passes: boolean
  /** Next steps, one list per kind. */
  next: Step[][]
  explanations: readonly string[]
}

class Search {
  private opened = 0
  /** How the request was rejected after single steps. */
  readonly deadEnds: string[] = []

  constructor(
    private readonly branches: Branches,
    private readonly original: SentRequest,
    private readonly user: ActingUser | undefined,
  ) {}

  /** Breadth first. @returns the steps so far with further ones after which the request passes */
  async firstPassing(
    before: readonly Step[],
    candidates: readonly Step[],
  ): Promise<Step[] | undefined> {
    const rejected: { steps: Step[]; next: Step[][] }[] = []
    for (const candidate of candidates) {
      if (this.opened >= MOST_BRANCHES) return undefined
      if (before.some((step) => equalJson(step, candidate))) continue
      const steps = [...before, candidate]
      const { response, passes, next } = await this.attempt(steps)
      if (passes) return steps
      if (before.length === 0 && response.trace !== undefined)
        this.deadEnds.push(deadEnd(candidate, response))
      if (steps.length < MOST_STEPS) rejected.push({ steps, next })
    }
    for (const { steps, next } of rejected)
      for (const following of next) {
        const found = await this.firstPassing(steps, following)
        if (found) return found
      }
    return undefined
  }

  async attempt(steps: readonly Step[]): Promise<Attempt> {
    this.opened++
    const branch = await this.branches.open()
    try {
      for (const { writes = [] } of steps)
        for (const write of writes) {
          const response = await branch.send(sent(write))
          if (response.status >= 300) return { ...NOTHING, response: withoutTrace(response) }
        }
      if (steps.length > 0) await branch.settle()
      const request = requestAfter(this.original, steps)
      const response = await branch.send(request, { user: this.user, dryRun: true })
      if (response.status < 300) return { ...NOTHING, response, passes: true }
      const rejection = rejectionOf(request, response, branch, this.branches)
      if (rejection === undefined) return { ...NOTHING, response }
      const explanations = steps.length === 0 ? await explanationsOf(rejection) : []
      return { response, passes: false, next: await nextSteps(rejection), explanations }
    } finally {
      await branch.close()
    }
  }

  repairOf(steps: readonly Step[]): Repair {
    return {
      kind: steps[0]?.kind ?? '',
      title: titleOf(steps),
      writes: steps.flatMap(({ writes = [] }) => writes),
      edits: steps.flatMap(({ edits = [] }) => edits),
      request: requestAfter(this.original, steps),
    }
  }
}

const deadEnd = ({ title }: Step, { status, body }: BranchResponse): string =>
  `Not enough: ${title}. The response is then ${status}: ${String(body?.message)}`

const NOTHING: Omit<Attempt, 'response'> = { passes: false, next: [], explanations: [] }

/** For a rejected write of the repair: the request was not sent. */
const withoutTrace = (response: BranchResponse): BranchResponse => ({
  ...response,
  trace: undefined,
})

async function nextSteps(rejection: Rejection): Promise<Step[][]> {
  const found: Step[][] = []
  for (const { name, candidates } of REPAIR_KINDS) {
    const steps = await candidates(rejection)
    if (steps.length > 0) found.push(steps.map((step) => ({ ...step, kind: name })))
  }
  return found
}

const titleOf = (steps: readonly Step[]): string =>
  steps
    .map(({ title }, index) => (index === 0 ? title : title[0]?.toLowerCase() + title.slice(1)))
    .join(', then ')

const sent = ({ body, ...write }: RepairWrite): SentRequest => ({
  ...write,
  body: JSON.stringify(body),
})

function requestAfter(original: SentRequest, steps: readonly Step[]): SentRequest {
  let request = original
  for (const step of steps) {
    request = step.request ?? request
    if (step.edits === undefined || step.edits.length === 0) continue
    const object = objectOf(request)
    if (object !== undefined)
      request = { ...request, body: JSON.stringify(edited(object, step.edits)) }
  }
  return request
}

/** Different kinds can find the same repair. */
function distinct(repairs: readonly Repair[]): Repair[] {
  const seen = new Map<string, Repair>()
  for (const repair of repairs) {
    const key = JSON.stringify([repair.writes, repair.edits, repair.request])
    if (!seen.has(key)) seen.set(key, repair)
  }
  return [...seen.values()]
}
