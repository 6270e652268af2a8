// A file that the build takes in as it is: its path inside the binary.
declare module "*.br" {
  const path: string;
  export default path;
}
