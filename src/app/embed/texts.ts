export const brand = 'kubetab'
export const loading = 'Loading …'
export const notStarted = (failure: string) => `The API server could not start: ${failure}`
export const noPanel =
  'The address of this frame does not name a panel. Some panels: editor, object, ownership, results, requests, console.'
export const simulated = (release: string) =>
  `Kubernetes API ${release}, simulated in this frame; nothing is persisted`
export const open = 'Open in kubetab'
export const noWindows = 'This page does not let its frames open windows'
export const noLesson = (id: string) => `There is no lesson “${id}”`

// Errors of commands, for the author of the embedding page (docs/embedding.md)

export const tooMany = (most: number) => `${most} commands are pending: wait for responses`
export const noCommand = (commands: readonly string[]) =>
  `command should be one of ${commands.join(', ')}`
export const noScenario = 'scenario must be a link of this page, or its fragment (after the #)'
export const noPath = 'path should be a path of the API, such as /api/v1/pods'
export const noStreams = 'streams are not supported: changes are sent as events'
export const unknownUser = (name: string) => `unknown user ${name}`
export const unknownPanel = (panel: string, panels: readonly string[]) =>
  `this frame has no panel ${panel}: its address has ${panels.join(', ')}`
export const notServed = (resource: string, group: string) =>
  `the server does not serve ${resource} of ${group || 'the core group'}`
