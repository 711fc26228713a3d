/** DELETE returns the object instead of a Status. Recorded from kube-apiserver 1.31. */
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
