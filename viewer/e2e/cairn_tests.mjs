export const cairnTests = [];
