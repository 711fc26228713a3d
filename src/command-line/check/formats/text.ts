import { placeOf } from '../../manifests/read'
import { type Checked, countsOf, type Finding } from '../findings'

/** As compilers print errors, so that editors and terminals link the place. */
export function textFormat(checked: Checked): string {
  return [...checked.findings.map(lineOf), summaryOf(checked), ''].join('\n')
}

function lineOf({ level, rule, object, message, file, line }: Finding): string {
  const place = file === undefined ? '' : `${placeOf({ file, line })}: `
  const name = object === '' ? '' : `${object}: `
  // Some messages go on with a difference between objects.
  const [first] = message.split('\n')
  return `${place}${level}: ${name}${first} (${rule})`
}

/** `3 manifests checked against Kubernetes 1.37: 1 error, 2 warnings.` */
export function summaryOf({ manifests, release, findings, clusterObjects }: Checked): string {
  const { errors, warnings } = countsOf(findings)
  const checked = [
    counted(manifests.length, 'manifest'),
    ...(clusterObjects === 0 ? [] : [`${counted(clusterObjects, 'object')} of the cluster`]),
  ].join(' and ')
  return `${checked} checked against Kubernetes ${release}: ${counted(errors, 'error')}, ${counted(warnings, 'warning')}.`
}

export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`
}
