/**
 * How a client gets and caches a credential from an exec plugin (client.authentication.k8s.io/v1).
 * A list of outputs, one per run, simulates the plugin.
 */
import { parse } from 'yaml'
import { checkNesting } from '../../manifests/yaml-nesting'
import { INVALID_PLUGIN, invalidLifetime, outputWithoutToken, versionOneOf } from './texts'

const GROUP = 'client.authentication.k8s.io'
const VERSIONS = [`${GROUP}/v1`, `${GROUP}/v1beta1`]
/** The variable with the plugin's input. */
export const INPUT_VARIABLE = 'KUBERNETES_EXEC_INFO'

export interface PluginOutput {
  token: string
  /** Absent: cached until a 401 or the end of the process. */
  lifetimeSeconds?: number
}

export interface Plugin {
  apiVersion: string
  command: string
  provideClusterInfo: boolean
  interactive: boolean
  config?: unknown
  /** The last one repeats. */
  outputs: PluginOutput[]
}

export const SAMPLE = `# users[].user.exec of a kubeconfig
apiVersion: client.authentication.k8s.io/v1
command: get-token
interactiveMode: Never
provideClusterInfo: true
config: { region: north }
# The plugin's output, run by run; the last one is repeated.
outputs:
  - token: alice-token
    lifetimeSeconds: 20
  - token: not-known-any-more
  - token: alice-token
`

/** @throws Error for an invalid description */
export function readPlugin(text: string): Plugin {
  checkNesting(text)
  const value = parse(text) as Record<string, unknown> | null
  const {
    apiVersion,
    command,
    interactiveMode = 'Never',
    provideClusterInfo = false,
    config,
    outputs,
  } = value ?? {}
  if (typeof apiVersion !== 'string' || !VERSIONS.includes(apiVersion))
    throw new Error(versionOneOf(VERSIONS))
  if (typeof command !== 'string' || command === '') throw new Error(INVALID_PLUGIN.command)
  if (!['Never', 'IfAvailable', 'Always'].includes(String(interactiveMode)))
    throw new Error(INVALID_PLUGIN.interactiveMode)
  if (!Array.isArray(outputs) || outputs.length === 0) throw new Error(INVALID_PLUGIN.outputs)
  return {
    apiVersion,
    command,
    provideClusterInfo: provideClusterInfo === true,
    interactive: interactiveMode !== 'Never',
    ...(config === undefined ? {} : { config }),
    outputs: outputs.map(pluginOutputOf),
  }
}

function pluginOutputOf(value: unknown, index: number): PluginOutput {
  const { token, lifetimeSeconds } = (value ?? {}) as { token?: unknown; lifetimeSeconds?: unknown }
  if (typeof token !== 'string' || token === '') throw new Error(outputWithoutToken(index))
  if (
    lifetimeSeconds !== undefined &&
    (typeof lifetimeSeconds !== 'number' || !(lifetimeSeconds > 0))
  )
    throw new Error(invalidLifetime(index))
  return { token, ...(typeof lifetimeSeconds === 'number' ? { lifetimeSeconds } : {}) }
}

/** The value of `INPUT_VARIABLE`. @param server address of the cluster */
export function inputOf(
  { apiVersion, interactive, provideClusterInfo, config }: Plugin,
  server: string,
): object {
  const cluster = provideClusterInfo
    ? { cluster: { server, ...(config === undefined ? {} : { config }) } }
    : {}
  return { kind: 'ExecCredential', apiVersion, spec: { ...cluster, interactive } }
}

/** @param now milliseconds since the epoch */
export function outputOf(
  { apiVersion }: Plugin,
  { token, lifetimeSeconds }: PluginOutput,
  now: number,
): ExecCredential {
  const expiry =
    lifetimeSeconds === undefined
      ? {}
      : {
          expirationTimestamp: new Date(now + lifetimeSeconds * 1000)
            .toISOString()
            .replace(/\.\d+Z$/, 'Z'),
        }
  return { apiVersion, kind: 'ExecCredential', status: { token, ...expiry } }
}

export interface ExecCredential {
  apiVersion: string
  kind: 'ExecCredential'
  status: { token: string; expirationTimestamp?: string }
}

export type Occasion = 'first' | 'cached' | 'expired' | 'unauthorized'

export class ExecClient {
  private kept: ExecCredential | undefined
  private runs = 0

  constructor(
    private readonly plugin: Plugin,
    private readonly now: () => number,
  ) {}

  credential(): { occasion: Occasion; credential: ExecCredential } {
    const { kept } = this
    if (kept === undefined) return { occasion: 'first', credential: this.run() }
    const { expirationTimestamp } = kept.status
    if (expirationTimestamp !== undefined && this.now() > Date.parse(expirationTimestamp))
      return { occasion: 'expired', credential: this.run() }
    return { occasion: 'cached', credential: kept }
  }

  /**
   * Call with the response status of the credential's request. A 401 runs the plugin again, for
   * later requests only.
   * @returns the new credential, if any
   */
  onResponse(status: number, credential: ExecCredential): ExecCredential | undefined {
    // Another request may already have refreshed the credential.
    if (status !== 401 || this.kept !== credential) return undefined
    return this.run()
  }

  private run(): ExecCredential {
    const { outputs } = this.plugin
    const output = outputs[Math.min(this.runs, outputs.length - 1)] as PluginOutput
    this.runs++
    this.kept = outputOf(this.plugin, output, this.now())
    return this.kept
  }
}
