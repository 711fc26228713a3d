/** Field managers of kubectl's commands. */
export const SERVER_SIDE_MANAGER = 'kubectl'
export const CLIENT_SIDE_MANAGER = 'kubectl-client-side-apply'
export const CREATE_MANAGER = 'kubectl-create'
export const REPLACE_MANAGER = 'kubectl-replace'
