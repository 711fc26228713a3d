/**
 * The configuration of the admission plugin PodSecurity. kubernetes.io, "Enforce Pod Security
 * Standards by Configuring the Built-in Admission Controller".
 */
import { isJsonObject, type Json, type JsonObject } from '../../core/object'
import { goQuote } from '../../schema/go-text'
import { AdmissionConfigurationError, checkKind, checkMembers } from '../configuration'
import { LEVELS, type Level, type LevelVersion, type Policy, PRIVILEGED_POLICY } from './policy'

export interface PodSecurityConfiguration {
  defaults: Policy
  exemptions: { usernames: string[]; namespaces: string[]; runtimeClasses: string[] }
}

const NO_CONFIGURATION: PodSecurityConfiguration = {
  defaults: PRIVILEGED_POLICY,
  exemptions: { usernames: [], namespaces: [], runtimeClasses: [] },
}

const VERSIONS = ['v1', 'v1beta1', 'v1alpha1'].map(
  (version) => `pod-security.admission.config.k8s.io/${version}`,
)
const MODES = ['enforce', 'audit', 'warn'] as const
const EXEMPTIONS = ['usernames', 'namespaces', 'runtimeClasses'] as const

/** @throws AdmissionConfigurationError */
export function podSecurityConfiguration(given: JsonObject | undefined): PodSecurityConfiguration {
  if (given === undefined || Object.keys(given).length === 0) return NO_CONFIGURATION
  checkKind(given, VERSIONS, 'PodSecurityConfiguration')
  checkMembers(given, ['apiVersion', 'kind', 'defaults', 'exemptions'], '')
  const defaults = isJsonObject(given.defaults) ? given.defaults : {}
  const exemptions = isJsonObject(given.exemptions) ? given.exemptions : {}
  checkMembers(
    defaults,
    MODES.flatMap((mode) => [mode, `${mode}-version`]),
    'defaults',
  )
  checkMembers(exemptions, EXEMPTIONS, 'exemptions')
  const policy = Object.fromEntries(
    MODES.map((mode) => [mode, levelOf(defaults, mode)]),
  ) as unknown as Policy
  return {
    defaults: policy,
    exemptions: Object.fromEntries(
      EXEMPTIONS.map((name) => [name, textsOf(exemptions[name])]),
    ) as PodSecurityConfiguration['exemptions'],
  }
}

function levelOf(defaults: JsonObject, mode: string): LevelVersion {
  const level = defaults[mode] ?? 'privileged'
  const version = String(defaults[`${mode}-version`] ?? 'latest')
  if (!LEVELS.includes(level as Level))
    throw wrong(mode, String(level), `must be one of ${LEVELS.join(', ')}`)
  const minor = /^v1\.(0|[1-9]\d*)$/.exec(version)?.[1]
  if (minor === undefined && version !== 'latest')
    throw wrong(`${mode}-version`, version, 'must be "latest" or "v1.x"')
  return { level: level as Level, version: minor === undefined ? 'latest' : Number(minor) }
}

const wrong = (member: string, value: string, why: string): AdmissionConfigurationError =>
  new AdmissionConfigurationError(`defaults.${member}: Invalid value: ${goQuote(value)}: ${why}`)

const textsOf = (value: Json | undefined): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
