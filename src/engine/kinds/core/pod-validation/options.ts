/**
 * What an update of a Pod tolerates, as `GetValidationOptionsFromPodSpecAndMeta` of
 * k8s.io/kubernetes, pkg/api/pod.
 */

import { entryOf, type KubeObject } from '../../../core/object'
import type { StrategyEngine } from '../../../registry/strategy'
import type { Changes } from '../../../release-tables/changes'
import { environmentNameProblems } from '../../../validation/names'
import { podTemplateOf } from '../pod-gates'
import { type Container, containersOf, type PodSpec, type PodTemplate } from '../pod-types'
import { hasInvalidCost } from './annotations'

export interface PodValidationOptions {
  changes: Changes
  /** Any printable ASCII except `=`. */
  allowsRelaxedEnvNames: boolean
  /** Underscores, or a single dot. */
  allowsRelaxedSearches: boolean
  allowsZeroSleep: boolean
  /** Of regular and init containers. */
  allowsRestartRules: boolean
  allowsRestartingAll: boolean
  /** seLinuxChangePolicy MountOption. */
  allowsMountedLabels: boolean
  /** Topology spread merges keys into selectors. */
  mergesSpreadKeys: boolean
  allowsInvalidDeletionCost: boolean
}

/** @param old on update */
export const templateOptions = (
  engine: Pick<StrategyEngine, 'featureGates' | 'tables'>,
  old?: KubeObject,
): PodValidationOptions => podValidationOptions(engine, old && podTemplateOf(old))

/** @param stored on update: what it uses stays allowed */
export function podValidationOptions(
  { featureGates, tables }: Pick<StrategyEngine, 'featureGates' | 'tables'>,
  stored?: Pick<PodTemplate, 'metadata' | 'spec'>,
): PodValidationOptions {
  const old = stored?.spec
  const isAllowed = (gate: string, isInUse: (spec: PodSpec) => boolean) =>
    entryOf(featureGates, gate) === true || (old !== undefined && isInUse(old))
  return {
    changes: tables.changes,
    allowsRelaxedEnvNames: isAllowed('RelaxedEnvironmentVariableValidation', usesRelaxedEnvNames),
    allowsRelaxedSearches: isAllowed('RelaxedDNSSearchValidation', usesRelaxedSearches),
    allowsZeroSleep: isAllowed('PodLifecycleSleepActionAllowZero', usesZeroSleep),
    allowsRestartRules: isAllowed('ContainerRestartRules', usesRestartRules),
    allowsRestartingAll: isAllowed('RestartAllContainersOnContainerExits', restartsAll),
    allowsMountedLabels: isAllowed(
      'SELinuxMount',
      ({ securityContext }) => securityContext?.seLinuxChangePolicy !== undefined,
    ),
    mergesSpreadKeys: featureGates.MatchLabelKeysInPodTopologySpreadSelectorMerge === true,
    allowsInvalidDeletionCost:
      stored === undefined
        ? featureGates.PodDeletionCost !== true
        : hasInvalidCost(stored.metadata?.annotations),
  }
}

const someContainer = (spec: PodSpec, uses: (container: Container) => boolean): boolean =>
  containersOf(spec, '').some(({ container }) => uses(container))

const usesRelaxedEnvNames = (spec: PodSpec): boolean =>
  someContainer(spec, ({ env, envFrom }) =>
    [...(env ?? []).map(({ name }) => name), ...(envFrom ?? []).map(({ prefix }) => prefix)].some(
      (name) => name && environmentNameProblems(name).length > 0,
    ),
  )

const usesRelaxedSearches = ({ dnsConfig }: PodSpec): boolean =>
  (dnsConfig?.searches ?? []).some((search) => search === '.' || search.includes('_'))

const usesZeroSleep = (spec: PodSpec): boolean =>
  someContainer(spec, ({ lifecycle }) =>
    [lifecycle?.preStop, lifecycle?.postStart].some((hook) => hook?.sleep?.seconds === 0),
  )

const usesRestartRules = ({ containers, initContainers }: PodSpec): boolean =>
  (containers ?? []).some(
    ({ restartPolicy, restartPolicyRules }) =>
      restartPolicy !== undefined || restartPolicyRules?.length,
  ) || (initContainers ?? []).some(({ restartPolicyRules }) => restartPolicyRules?.length)

const restartsAll = (spec: PodSpec): boolean =>
  someContainer(spec, ({ restartPolicyRules }) =>
    (restartPolicyRules ?? []).some(({ action }) => action === 'RestartAllContainers'),
  )
