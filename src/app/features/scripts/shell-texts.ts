export const newScript = 'New script'
export const group = 'Script'
export const stopScript = 'Stop the running script'
export const sample = (about: string) => `Script: ${about}`
export const shared = 'Run a script that came with a shared link?'
export const sharedWarning = (sender: string) =>
  `The link names ${sender} as its sender. Read it first: a script can read and change all clusters and files that this page stores in this browser.`
export const run = 'Run it'

export const sandbox = 'Sandbox of a script'
export const killed = 'The browser killed the script (out of memory).'
export const ended = 'The script ended.'
export const tooMuch = 'Stopped: too much output.'
export const unresponsive = (seconds: number) =>
  `Stopped: the script did not respond for ${seconds} seconds.`
export const notCompiled = (reason: string) => `The script does not compile: ${reason}`
export const stopped = 'Stopped.'

export const listSample = 'List namespaces with fetch'
export const watchSample = 'Follow a watch while objects are created'

export const notApiPath = (path: string) =>
  `${path} is not an API path such as /api, /apis, /openapi or /version`
export const otherWorkspace = 'a script can only access the cluster of its own workspace'
