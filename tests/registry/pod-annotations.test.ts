import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/engine/core/object'
import { type Causes, causes, testServer } from './server'

const PODS = '/api/v1/namespaces/default/pods'
const METADATA = 'metadata.annotations'
const APPARMOR = 'container.apparmor.security.beta.kubernetes.io/app'
const SECCOMP = 'container.seccomp.security.alpha.kubernetes.io/app'
const MIRROR = 'kubernetes.io/config.mirror'

const pod = (
  annotations: JsonObject,
  spec: JsonObject = {},
  container: JsonObject = {},
): JsonObject => ({
  metadata: { name: 'p', annotations },
  spec: { containers: [{ name: 'app', image: 'i:1', ...container }], ...spec },
})

/** A server where pods need no service account. */
async function server() {
  const made = testServer()
  await made.send('POST', '/api/v1/namespaces/default/serviceaccounts', {
    metadata: { name: 'default' },
  })
  return made
}

const rejection = async (...given: Parameters<typeof pod>) =>
  causes((await (await server()).send<Causes>('POST', PODS, pod(...given))).body)

describe('annotations of a pod', () => {
  test.each(['0', '-0', '-07', '2147483647'])('accept the deletion cost %s', async (cost) => {
    expect(await rejection({ 'controller.kubernetes.io/pod-deletion-cost': cost })).toEqual([])
  })
  test.each(['+1', '01', '2147483648', '-', ''])('reject the deletion cost "%s"', async (cost) => {
    const key = 'controller.kubernetes.io/pod-deletion-cost'
    expect(await rejection({ [key]: cost })).toEqual([
      `${METADATA}[${key}]: Invalid value: "${cost}": must be a 32bit integer`,
    ])
  })
  test('are validated in a fixed order', async () => {
    const tolerations = 'scheduler.alpha.kubernetes.io/tolerations'
    const found = await rejection({
      [APPARMOR]: 'odd',
      [SECCOMP]: 'localhost/../x',
      'seccomp.security.alpha.kubernetes.io/pod': 'odd',
      [tolerations]: '[{"operator":"Odd","key":"k"}]',
      [MIRROR]: 'm',
    })
    expect(found).toEqual([
      `${METADATA}[${MIRROR}]: Invalid value: "m": must set spec.nodeName if mirror pod annotation is set`,
      `${METADATA}.${tolerations}[0].operator: Unsupported value: "Odd": supported values: "Equal", "Exists"`,
      `${METADATA}.seccomp.security.alpha.kubernetes.io/pod: Invalid value: "odd": must be a valid seccomp profile`,
      `${METADATA}.${SECCOMP}: Invalid value: "../x": must not contain '..'`,
      `${METADATA}[${APPARMOR}]: Invalid value: "odd": invalid AppArmor profile name: "odd"`,
    ])
  })
  test('report why a value does not parse', async () => {
    const tolerations = 'scheduler.alpha.kubernetes.io/tolerations'
    expect(await rejection({ [tolerations]: '{}' })).toEqual([
      `${METADATA}: Invalid value: "${tolerations}": json: cannot unmarshal object into Go value of type []core.Toleration`,
    ])
  })
})

describe('profiles in both annotations and fields', () => {
  const at = (field: string) => `spec.containers[0].securityContext.${field}`

  test('must have one type', async () => {
    const securityContext = {
      seccompProfile: { type: 'Unconfined' },
      appArmorProfile: { type: 'RuntimeDefault' },
    }
    expect(
      await rejection(
        { [SECCOMP]: 'runtime/default', [APPARMOR]: 'localhost/x' },
        {},
        { securityContext },
      ),
    ).toEqual([
      `${at('seccompProfile.type')}: Forbidden: seccomp type in annotation and field must match`,
      `${at('appArmorProfile.type')}: Forbidden: apparmor type in annotation and field must match`,
    ])
  })
  test('must have one name', async () => {
    const securityContext = { appArmorProfile: { type: 'Localhost', localhostProfile: 'a' } }
    expect(await rejection({ [APPARMOR]: 'localhost/b' }, {}, { securityContext })).toEqual([
      `${at('appArmorProfile.localhostProfile')}: Forbidden: apparmor profile in annotation and field must match`,
    ])
    expect(await rejection({ [APPARMOR]: 'localhost/a' }, {}, { securityContext })).toEqual([])
  })
  test('must agree in templates too', async () => {
    const ofPod = { securityContext: { appArmorProfile: { type: 'Unconfined' } } }
    const ofContainer = { securityContext: { seccompProfile: { type: 'RuntimeDefault' } } }
    const template = pod({ [SECCOMP]: 'unconfined', [APPARMOR]: 'localhost/x' }, ofPod, ofContainer)
    const { body } = await testServer().send<Causes>(
      'POST',
      '/api/v1/namespaces/default/podtemplates',
      {
        metadata: { name: 't' },
        template,
      },
    )
    // The profile of the pod applies to a container of a template without one.
    expect(causes(body)).toEqual([
      `template.${at('seccompProfile.type')}: Forbidden: seccomp type in annotation and field must match`,
      `template.${at('appArmorProfile.type')}: Forbidden: apparmor type in annotation and field must match`,
    ])
  })
})

describe('immutable annotations', () => {
  test('are kept by every endpoint', async () => {
    const { send } = await server()
    await send('POST', PODS, pod({ [APPARMOR]: 'unconfined' }))
    const patch = async (path: string, annotations: JsonObject) =>
      causes(
        (
          await send<Causes>(
            'PATCH',
            path,
            { metadata: { annotations } },
            'application/merge-patch+json',
          )
        ).body,
      )
    const changed = `${METADATA}[${APPARMOR}]: Forbidden: may not remove or update AppArmor annotations`
    expect(await patch(`${PODS}/p/status`, { [APPARMOR]: 'runtime/default' })).toEqual([changed])
    expect(await patch(`${PODS}/p`, { [MIRROR]: 'm' })).toContain(
      `${METADATA}[${MIRROR}]: Forbidden: may not add mirror pod annotation`,
    )
  })
  test('reject ephemeral containers in a mirror pod', async () => {
    const { send } = testServer()
    await send('POST', PODS, pod({ [MIRROR]: 'm' }, { nodeName: 'n' }))
    const ephemeralContainers = [{ name: 'e', image: 'i' }]
    const { body } = await send<Causes>(
      'PATCH',
      `${PODS}/p/ephemeralcontainers`,
      { spec: { ephemeralContainers } },
      'application/merge-patch+json',
    )
    expect(causes(body)).toEqual(['[]: Forbidden: static pods do not support ephemeral containers'])
  })
})
