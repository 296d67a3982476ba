/** The code that the guides show. Each class belongs to one page. */
@NullMarked
package example.guide;

import org.jspecify.annotations.NullMarked;
