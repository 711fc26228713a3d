export const WORKSPACES = {
  title: 'Workspaces',
  about: 'Each has its own cluster and files, stored in this browser.',
  stored: 'What is stored?',
  current: 'open',
  remove: (workspace: string) => `Delete ${workspace}`,
  newName: 'New workspace name',
  newNameLabel: 'Name of the new workspace',
  create: 'Create',
  removed: (workspace: string) => `${workspace} was deleted`,
  failed: (workspace: string, reason: string) => `${workspace} could not be deleted: ${reason}`,
  question: (workspace: string) => `Delete the workspace ${workspace}?`,
  consequence:
    'Its cluster and files will be permanently deleted. Open and export it first if you want to keep them.',
  confirm: 'Delete',
} as const
