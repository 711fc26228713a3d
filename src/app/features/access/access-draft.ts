/** Maps access settings to form fields and back. */
import { entryOf } from '../../../engine/core/object'
import type { AccessSettings } from '../../../hosts/shared/access-settings'
import authentication from './samples/authentication-configuration.yaml?raw'
import configuration from './samples/authorization-configuration.yaml?raw'
import policy from './samples/policy.jsonl?raw'
import tokens from './samples/tokens.csv?raw'
import webhook from './samples/webhook.kubeconfig?raw'

export const FILES = {
  configuration: '/etc/kubernetes/authorization.yaml',
  policy: '/etc/kubernetes/abac.jsonl',
  webhook: '/etc/kubernetes/authorization-webhook.kubeconfig',
  tokens: '/etc/kubernetes/tokens.csv',
  authentication: '/etc/kubernetes/authentication.yaml',
} as const

export type FileName = keyof typeof FILES

export interface Draft {
  /** Authorization by `--authorization-mode`, or by a configuration file. */
  by: 'modes' | 'file'
  modes: string
  files: Record<FileName, string>
  /** By issuer, for issuers that the browser cannot reach. */
  keySets: Record<string, string>
  /** `--anonymous-auth`; `usual`: the flag is not set. */
  anonymous: 'usual' | 'yes' | 'no'
}

const EMPTY_AT_FIRST: readonly FileName[] = ['tokens', 'authentication']

export const SAMPLES: Record<FileName, string> = {
  configuration,
  policy,
  webhook,
  tokens,
  authentication,
}

export function draftOf({
  files,
  authorization,
  tokenFile,
  authenticationConfig,
  keySets,
  anonymousAuth,
}: AccessSettings): Draft {
  const { configFile, modes, policyFile, webhookConfigFile } = authorization
  const text = (path: string | undefined, name: FileName) =>
    entryOf(files, path || FILES[name]) ?? (EMPTY_AT_FIRST.includes(name) ? '' : SAMPLES[name])
  return {
    by: configFile === undefined ? 'modes' : 'file',
    modes: (modes ?? ['Node', 'RBAC']).join(','),
    files: {
      configuration: text(configFile, 'configuration'),
      policy: text(policyFile, 'policy'),
      webhook: text(webhookConfigFile, 'webhook'),
      tokens: text(tokenFile, 'tokens'),
      authentication: text(authenticationConfig, 'authentication'),
    },
    keySets,
    anonymous: anonymousAuth === undefined ? 'usual' : anonymousAuth ? 'yes' : 'no',
  }
}

/** The files that the chosen modes use; the draft keeps the others. */
export function filesNamed({ by, modes, files }: Draft): FileName[] {
  const listed = modesIn(modes)
  if (by === 'file')
    return /type:\s*["']?Webhook/.test(files.configuration)
      ? ['configuration', 'webhook']
      : ['configuration']
  return [
    ...(listed.includes('ABAC') ? (['policy'] as const) : []),
    ...(listed.includes('Webhook') ? (['webhook'] as const) : []),
  ]
}

export function settingsOf(draft: Draft): AccessSettings {
  const { by, modes, files, keySets, anonymous } = draft
  const isWritten = (name: FileName) => files[name].trim() !== ''
  const named = filesNamed(draft)
  return {
    files: Object.fromEntries(
      (Object.keys(FILES) as FileName[]).map((name) => [FILES[name], files[name]]),
    ),
    authorization:
      by === 'file'
        ? { configFile: FILES.configuration }
        : {
            modes: modesIn(modes),
            ...(named.includes('policy') ? { policyFile: FILES.policy } : {}),
            ...(named.includes('webhook')
              ? { webhookConfigFile: FILES.webhook, webhookVersion: 'v1' }
              : {}),
          },
    tokenFile: isWritten('tokens') ? FILES.tokens : '',
    authenticationConfig: isWritten('authentication') ? FILES.authentication : '',
    keySets: Object.fromEntries(
      issuersIn(draft).flatMap((issuer) => {
        const keys = entryOf(keySets, issuer)
        return keys?.trim() ? [[issuer, keys]] : []
      }),
    ),
    ...(anonymous === 'usual' ? {} : { anonymousAuth: anonymous === 'yes' }),
  }
}

/** By a pattern, because the YAML can be incomplete. */
export const issuersIn = ({ files }: Pick<Draft, 'files'>): string[] =>
  [...files.authentication.matchAll(/^[ \t]*(?:- )?url:[ \t]*["']?([^"'\s#]+)/gm)].map(
    ([, issuer]) => issuer as string,
  )

const modesIn = (modes: string): string[] =>
  modes
    .split(',')
    .map((mode) => mode.trim())
    .filter((mode) => mode !== '')
