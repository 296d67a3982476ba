/** Code that several examples share. The examples are in the packages below, each with a page in docs. */
@NullMarked
package example;

import org.jspecify.annotations.NullMarked;
