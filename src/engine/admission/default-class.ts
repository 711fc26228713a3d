/** Finds the default class of a kind. If there are several, the newest applies. */
import { entryOf, type KubeObject } from '../core/object'
import type { AdmissionPlugin } from './admission'
import { type AdmissionEnvironment, readObjects } from './environment'

interface Rule {
  name: string
  resource: string
  /** The deprecated annotation that the class field replaced. */
  annotation: string
  member: 'storageClassName' | 'ingressClassName'
  classes: string
  marks: string[]
}

const STORAGE: Rule = {
  name: 'DefaultStorageClass',
  resource: 'persistentvolumeclaims',
  annotation: 'volume.beta.kubernetes.io/storage-class',
  member: 'storageClassName',
  classes: '/registry/storageclasses/',
  marks: [
    'storageclass.kubernetes.io/is-default-class',
    'storageclass.beta.kubernetes.io/is-default-class',
  ],
}

const INGRESS: Rule = {
  name: 'DefaultIngressClass',
  resource: 'ingresses.networking.k8s.io',
  annotation: 'kubernetes.io/ingress.class',
  member: 'ingressClassName',
  classes: '/registry/ingressclasses/',
  marks: ['ingressclass.kubernetes.io/is-default-class'],
}

export const defaultStorageClass = (environment: AdmissionEnvironment): AdmissionPlugin =>
  plugin(environment, STORAGE)
export const defaultIngressClass = (environment: AdmissionEnvironment): AdmissionPlugin =>
  plugin(environment, INGRESS)

interface Classed extends KubeObject {
  spec?: { storageClassName?: string; ingressClassName?: string }
}

function plugin(environment: AdmissionEnvironment, rule: Rule): AdmissionPlugin {
  return {
    name: rule.name,
    operations: ['CREATE'],
    resources: [rule.resource],
    async mutate(attributes) {
      const object = attributes.object as Classed
      if (namesClass(object, rule)) return
      const found = newestDefault(await readObjects(environment, rule.classes), rule.marks)
      if (found) object.spec = { ...object.spec, [rule.member]: found.metadata.name ?? '' }
    },
  }
}

/** Even an empty class counts. */
const namesClass = ({ metadata, spec }: Classed, { annotation, member }: Rule): boolean =>
  entryOf(metadata.annotations, annotation) !== undefined || typeof spec?.[member] === 'string'

export const namesStorageClass = (claim: KubeObject): boolean =>
  namesClass(claim as Classed, STORAGE)

export const defaultStorageClassOf = (classes: KubeObject[]): KubeObject | undefined =>
  newestDefault(classes, STORAGE.marks)

/** Among equally new ones the first by name applies. */
function newestDefault(classes: KubeObject[], marks: string[]): KubeObject | undefined {
  const defaults = classes.filter(({ metadata }) =>
    marks.some((mark) => entryOf(metadata.annotations, mark) === 'true'),
  )
  return defaults.sort(
    ({ metadata: a }, { metadata: b }) =>
      compare(b.creationTimestamp, a.creationTimestamp) || compare(a.name, b.name),
  )[0]
}

function compare(a: string | null | undefined, b: string | null | undefined): number {
  const [left, right] = [a ?? '', b ?? '']
  return left === right ? 0 : left < right ? -1 : 1
}
