/** Those of kube-apiserver whose values are known here. */
import { ACCESS_FAMILIES } from './access'
import { ADMISSION_FAMILIES } from './admission'
import { CLIENT_FAMILIES } from './clients'
import type { Family, HistogramFamily, NumberFamily, SummaryFamily } from './family'
import { FLOW_CONTROL_FAMILIES } from './flow-control'
import { PROCESS_FAMILIES } from './process'
import { REQUEST_FAMILIES } from './requests'
import { SERVER_FAMILIES } from './server'
import { STORAGE_FAMILIES } from './storage'

export const FAMILIES = {
  ...ACCESS_FAMILIES,
  ...ADMISSION_FAMILIES,
  ...CLIENT_FAMILIES,
  ...FLOW_CONTROL_FAMILIES,
  ...PROCESS_FAMILIES,
  ...REQUEST_FAMILIES,
  ...SERVER_FAMILIES,
  ...STORAGE_FAMILIES,
} satisfies Record<string, Family>

type Families = typeof FAMILIES
type NamesOf<Kind> = {
  [Name in keyof Families]: Families[Name] extends Kind ? Name : never
}[keyof Families]

export type FamilyName = keyof Families
export type NumberName = NamesOf<NumberFamily>
export type HistogramName = NamesOf<HistogramFamily>
export type SummaryName = NamesOf<SummaryFamily>
