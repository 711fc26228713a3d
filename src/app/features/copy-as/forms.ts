/** The forms in which a request can be had. */
import { asCurl, asFetch, asKubectl } from './equivalents'

export const FORMS = [
  { title: 'kubectl', format: asKubectl, what: 'The kubectl command' },
  { title: 'curl', format: asCurl, what: 'The curl command' },
  { title: 'fetch', format: asFetch, what: 'The fetch call' },
] as const
