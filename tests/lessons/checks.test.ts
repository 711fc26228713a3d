/** What completes a step: equivalent solutions do, errors for other reasons do not. */

import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/engine/core/object'
import { LESSONS } from '../../src/lessons/catalog'
import { checkStep, type SeenRequest } from '../../src/lessons/check'
import type { Check, Lesson, RequestLike, Step } from '../../src/lessons/lesson'
import { readLesson } from '../../src/lessons/read'
import { LessonError } from '../../src/lessons/reading'
import { jsonObject } from '../support/json-objects'

interface Seen {
  requests?: readonly Partial<SeenRequest>[]
  objects?: Readonly<Record<string, JsonObject>>
}

const lessonOf = (id: string): Lesson => {
  const lesson = LESSONS.find((one) => one.id === id)
  if (lesson === undefined) throw new Error(`the catalog has no lesson ${id}`)
  return lesson
}

const step = (checks: readonly Check[]): Step => ({
  title: '',
  text: '',
  hints: ['a', 'b', 'c'],
  checks,
  solution: [],
})

/** Which checks of a step hold. */
async function held(
  of: Step | undefined,
  { requests = [], objects = {} }: Seen,
): Promise<boolean[]> {
  if (of === undefined) throw new Error('there is no such step')
  const seen = requests.map((request) => ({ verb: 'get', requestURI: '/', ...request }))
  const checks = await checkStep(of, {
    get: async (path) => objects[path],
    send: async () => ({ code: 404, body: {} }),
    requests: seen,
    events: [],
  })
  return checks.map(({ holds }) => holds)
}

const matches = async (
  wanted: RequestLike,
  request: Partial<SeenRequest>,
): Promise<boolean | undefined> =>
  (await held(step([{ kind: 'request', is: wanted, says: '' }]), { requests: [request] }))[0]

describe('a request', () => {
  it('may have one of several verbs', async () => {
    const wanted = { verb: ['update', 'patch'] }
    expect(await matches(wanted, { verb: 'patch' })).toBe(true)
    expect(await matches(wanted, { verb: 'get' })).toBe(false)
    expect(await matches({}, { verb: 'get' })).toBe(true)
  })

  it('matches by the server’s message', async () => {
    expect(
      await matches(
        { message: 'exceeded quota' },
        { responseStatus: { code: 403, message: 'pods is forbidden: exceeded quota: x' } },
      ),
    ).toBe(true)
    expect(
      await matches(
        { message: 'exceeded quota' },
        { responseStatus: { code: 403, message: 'cannot create' } },
      ),
    ).toBe(false)
    expect(await matches({ message: 'exceeded quota' }, { responseStatus: { code: 200 } })).toBe(
      false,
    )
  })

  it('is read with its verbs and its message from the text of a lesson', () => {
    const lesson = (is: JsonObject) => {
      const { steps, ...rest } = JSON.parse(JSON.stringify(lessonOf('no-ladder-up'))) as Lesson
      return readLesson(
        jsonObject({
          ...rest,
          steps: [{ ...steps[0], checks: [{ kind: 'request', is, says: 'x' }] }],
        }),
      )
    }
    expect(() => lesson({ verb: ['get', 'list'], message: 'quota$' })).not.toThrow()
    expect(() => lesson({ verb: [] })).toThrow(/is\.verb: a verb, or a list of verbs/)
    expect(() => lesson({ verb: ['get', 1] })).toThrow(LessonError)
    expect(() => lesson({ message: '(' })).toThrow(/is\.message/)
  })
})

describe('no ladder up', () => {
  const denied = (namespace: string, message: string): Seen => ({
    requests: [
      {
        verb: 'patch',
        user: { username: 'carol' },
        objectRef: { resource: 'roles', namespace },
        responseStatus: { code: 403, message },
      },
    ],
  })

  it('wants the denial of the ladder, not that of another namespace', async () => {
    const [, climb] = lessonOf('no-ladder-up').steps
    expect(
      await held(
        climb,
        denied('shop', 'user "carol" is attempting to grant RBAC permissions not currently held'),
      ),
    ).toEqual([true])
    expect(
      await held(
        climb,
        denied('default', 'User "carol" cannot create resource "roles" in the namespace "default"'),
      ),
    ).toEqual([false])
    expect(
      await held(
        climb,
        denied('shop', 'User "carol" cannot delete resource "roles" in the namespace "shop"'),
      ),
    ).toEqual([false])
  })
})

describe('a policy with parameters', () => {
  it('wants the denial of the policy, not that of a slip in the manifest', async () => {
    const [, denial] = lessonOf('policy-with-params').steps
    const created = (message: string): Seen => ({
      requests: [
        {
          verb: 'patch',
          objectRef: { resource: 'deployments', namespace: 'shop' },
          responseStatus: { code: 422, message },
        },
      ],
    })
    const denied =
      "deployments.apps \"big\" is forbidden: ValidatingAdmissionPolicy 'replica-limit' with binding 'b' denied request: at most 3 replicas"
    expect((await held(denial, created(denied)))[0]).toBe(true)
    expect(
      (
        await held(
          denial,
          created('Deployment.apps "big" is invalid: spec.template.metadata.labels: Invalid value'),
        )
      )[0],
    ).toBe(false)
  })
})

describe('least privilege', () => {
  const path = '/apis/rbac.authorization.k8s.io/v1/namespaces/shop/roles'
  const role = (rule: JsonObject): Seen => ({
    objects: {
      [path]: { items: [{ rules: [{ apiGroups: [''], resources: ['configmaps'], ...rule }] }] },
    },
  })

  it('wants no more verbs and no more names than matches for', async () => {
    const [, give] = lessonOf('least-privilege').steps
    const roles = async (rule: JsonObject) => (await held(give, role(rule))).slice(0, 3)
    expect(await roles({ resourceNames: ['prices'], verbs: ['watch', 'get'] })).toEqual([
      true,
      true,
      true,
    ])
    expect(await roles({ resourceNames: ['prices'], verbs: ['get', 'watch', 'update'] })).toEqual([
      true,
      false,
      true,
    ])
    expect(await roles({ resourceNames: ['prices'], verbs: ['get', 'watch', '*'] })).toEqual([
      true,
      false,
      true,
    ])
    expect(await roles({ verbs: ['get', 'watch'] })).toEqual([false, true, false])
  })
})

describe('why are there no pods', () => {
  it('takes a look at the events as well as one at the replica sets, of the namespace or of all', async () => {
    const [find] = lessonOf('quota-and-limits').steps
    const looked = async (requestURI: string, verb = 'list') =>
      (await held(find, { requests: [{ verb, requestURI, responseStatus: { code: 200 } }] }))[0]
    expect(await looked('/apis/apps/v1/namespaces/shop/replicasets?limit=500')).toBe(true)
    expect(await looked('/apis/apps/v1/namespaces/shop/replicasets/web-1', 'get')).toBe(true)
    expect(await looked('/api/v1/namespaces/shop/events')).toBe(true)
    expect(await looked('/apis/apps/v1/replicasets?limit=500')).toBe(true)
    expect(await looked('/apis/apps/v1/namespaces/shop/deployments')).toBe(false)
    expect(await looked('/api/v1/namespaces/default/events')).toBe(false)
  })

  it('takes a limit range of any name', async () => {
    const [, manners] = lessonOf('quota-and-limits').steps
    const objects = {
      '/api/v1/namespaces/shop/limitranges': {
        items: [{ spec: { limits: [{ type: 'Container', defaultRequest: { cpu: '200m' } }] } }],
      },
    }
    expect((await held(manners, { objects }))[0]).toBe(true)
  })
})

describe('time passes', () => {
  it('continues after more than one change of the image', async () => {
    const [, second] = lessonOf('time-passes').steps
    const at = (revision: string): Seen => ({
      objects: {
        '/apis/apps/v1/namespaces/shop/deployments/web': {
          metadata: { annotations: { 'deployment.kubernetes.io/revision': revision } },
          spec: { template: { spec: { containers: [{ image: 'nginx:1.27' }] } } },
        },
      },
    })
    expect(await held(second, at('3'))).toEqual([true])
    expect(await held(second, at('10'))).toEqual([true])
    expect(await held(second, at('1'))).toEqual([false])
  })
})
