import { AdmissionConfigurationError, readAdmissionConfiguration } from '../admission/configuration'
import { DEFAULT_TOLERATION_SECONDS } from '../admission/default-toleration-seconds'
import { CONFIGURABLE, makePlugins, type PluginSelection } from '../admission/plugins'
import { FileError } from '../core/environment'
import { POLICY_PLUGINS } from '../policy/plugins'
import type { Engine } from '../registry/engine'
import { goQuote } from '../schema/go-text'
import type { Observer } from '../telemetry/observer'
import { OptionError } from './option-error'
import { policyEnvironment } from './policy-environment'
import type { ApiServerOptions } from './server-options'

/** @throws OptionError */
export function pluginsOf(
  engine: Engine,
  {
    admissionControlConfigFile: path = '',
    files,
    outbound,
    tolerationSeconds: seconds,
  }: ApiServerOptions,
  selection: PluginSelection,
  { metrics, stopwatch }: Observer,
) {
  try {
    const configurations =
      path === '' || files === undefined ? {} : readAdmissionConfiguration(path, files)
    const foreign = Object.keys(configurations).find((name) => !CONFIGURABLE.includes(name))
    if (foreign !== undefined)
      throw new AdmissionConfigurationError(
        `the configuration of ${goQuote(foreign)} is not obeyed here`,
      )
    const tolerationSeconds = { ...DEFAULT_TOLERATION_SECONDS, ...seconds }
    const given = {
      outbound,
      files,
      metrics: metrics.admissionCalls,
      podSecurity: metrics.podSecurity,
      stopwatch,
      tolerationSeconds,
    }
    return makePlugins(policyEnvironment(engine, given, configurations), selection, POLICY_PLUGINS)
  } catch (error) {
    if (error instanceof AdmissionConfigurationError || error instanceof FileError)
      throw new OptionError(`failed to read plugin config: ${error.message}`)
    throw error
  }
}
