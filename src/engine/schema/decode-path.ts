import type { Field, StructType } from './model'

export type Step = Field | string | number

/** Names of structure members only, as in type errors. */
export function fieldNames(steps: readonly Step[]): string {
  return steps.flatMap((step) => (typeof step === 'object' ? [step.name] : [])).join('.')
}

/** `[spec, containers, 0, "foo"]` -> `spec.containers[0].foo` */
export function joinPath(steps: readonly Step[]): string {
  const texts = steps.map((step) =>
    typeof step === 'number' ? `[${step}]` : typeof step === 'object' ? step.name : step,
  )
  return texts.reduce(
    (path, step) => (path === '' || /^\[\d+\]$/.test(step) ? path + step : `${path}.${step}`),
    '',
  )
}

/** `v1.PodSpec` -> `PodSpec` */
export function shortGoName(type: StructType): string {
  return (type.goType ?? type.name).split('.').at(-1) ?? ''
}
