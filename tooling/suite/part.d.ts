/** The argument of `--part`, for the text of `--help`. */
export declare const partHelp: string;
/** Returns one of several parts of a list: `K/N`; undefined for all. @throws RangeError */
export declare function partOf<T>(list: readonly T[], part: string | undefined): T[];
