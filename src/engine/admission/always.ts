import type { AdmissionAttributes, AdmissionPlugin, Operation } from './admission'
import { newForbidden } from './errors'

const ALL: readonly Operation[] = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT']

export const alwaysAdmit = (): AdmissionPlugin => ({ name: 'AlwaysAdmit', operations: ALL })

export function alwaysDeny(): AdmissionPlugin {
  const deny = (attributes: AdmissionAttributes): never => {
    throw newForbidden(attributes, 'admission control is denying all modifications')
  }
  return { name: 'AlwaysDeny', operations: ALL, mutate: deny, validate: deny }
}
