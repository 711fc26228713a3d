import { asCurl, asFetch, asKubectl } from './equivalents'
import * as texts from './shell-texts'

export const FORMS = [
  { title: 'kubectl', format: asKubectl, what: texts.kubectl },
  { title: 'curl', format: asCurl, what: texts.curl },
  { title: 'fetch', format: asFetch, what: texts.fetch },
] as const
