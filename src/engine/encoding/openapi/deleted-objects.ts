/** Resources (all of them built in) whose DELETE answers the deleted object instead of a Status (recorded). */
export const RETURN_DELETED_OBJECT: ReadonlySet<string> = new Set([
  ...[
    'pods',
    'persistentvolumeclaims',
    'persistentvolumes',
    'podtemplates',
    'resourcequotas',
    'serviceaccounts',
    'services',
  ],
  ...['csidrivers', 'csinodes', 'storageclasses', 'volumeattachments', 'volumeattributesclasses'],
  ...[
    'deviceclasses',
    'podschedulingcontexts',
    'resourceclaims',
    'resourceclaimtemplates',
    'resourceslices',
  ],
])
