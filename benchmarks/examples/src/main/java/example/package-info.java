/** What the examples share: how they are started. The examples themselves are in the packages below, each with a page in docs. */
@NullMarked
package example;

import org.jspecify.annotations.NullMarked;
