export const copy = 'Copy this request as kubectl, curl or fetch'
export const copyAs = (form: string) => `Copy as ${form}`

export const none = 'No requests yet'
export const copyLast = (form: string) => `Copy last request as ${form}`
export const group = 'Cluster'

export const kubectl = 'The kubectl command'
export const curl = 'The curl command'
export const fetch = 'The fetch call'
