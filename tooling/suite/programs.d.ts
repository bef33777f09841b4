export type Program = {
    /**
     * for people
     */
    name: string;
    /**
     * the file that starts it, relative to the root; each test that imports it needs the program
     */
    module: string;
    /**
     * the command that installs it on Debian
     */
    install: string;
    /**
     * returns the path of the program, or of a folder with all of its programs
     */
    find: () => string | undefined;
};
/**
 * A program that tests start.
 *
 * @typedef {object} Program
 * @property {string} name for people
 * @property {string} module the file that starts it, relative to the root; each test that imports it needs the program
 * @property {string} install the command that installs it on Debian
 * @property {() => string | undefined} find returns the path of the program, or of a folder with all of its programs
 */
/** The programs by the name that the variable `TENON_WITHOUT` has for each. */
export declare const programs: {
    redis: {
        name: string;
        module: string;
        install: string;
        find: () => string | undefined;
    };
    postgres: {
        name: string;
        module: string;
        install: string;
        find: () => string | undefined;
    };
    chromium: {
        name: string;
        module: string;
        install: string;
        find: () => string | undefined;
    };
};
/**
 * Returns the path of a program.
 *
 * @param {keyof typeof programs} key
 * @throws Error if it is not installed
 */
export declare function programPath(key: keyof typeof programs): string;
/**
 * Returns an environment variable, or an empty text.
 *
 * @param {string} name
 */
export declare function variable(name: string): string;
