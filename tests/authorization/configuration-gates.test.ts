/**
 * Configuration files that need a disabled feature gate stop the start. Messages recorded from
 * kube-apiserver.
 */
import { expect, it } from 'vitest'
import { SimulatedClock, seededRandom } from '../../src/engine/core/environment'
import { startEngine } from '../../src/hosts/node/engine'
import { parseFlags } from '../../src/hosts/node/flags'
import { TEST_RELEASE } from '../support/release'

const AUTHENTICATION = '--feature-gates=StructuredAuthenticationConfiguration=false'
const UNSUPPORTED =
  'set --feature-gates=StructuredAuthenticationConfiguration=true to use authentication-config file'

it.each<[flags: string[], rejection: string]>([
  [
    [
      '--feature-gates=StructuredAuthorizationConfiguration=false',
      '--authorization-config=/f',
      '--authorization-mode=RBAC',
    ],
    '--authorization-config cannot be used without enabling StructuredAuthorizationConfiguration feature flag',
  ],
  [[AUTHENTICATION, '--authentication-config=/f'], UNSUPPORTED],
  [
    [
      AUTHENTICATION,
      '--authentication-config=/f',
      '--oidc-issuer-url=https://a.b',
      '--oidc-client-id=c',
    ],
    `[${UNSUPPORTED}, authentication-config file and oidc-* flags are mutually exclusive]`,
  ],
])('%j', async (flags, rejection) => {
  const files = { read: () => 'never read' }
  const environment = {
    clock: new SimulatedClock(),
    random: seededRandom(1),
    log: { error() {} },
    files,
  }
  await expect(
    startEngine(parseFlags([`--release=${TEST_RELEASE}`, ...flags]), environment),
  ).rejects.toThrow(rejection)
})
