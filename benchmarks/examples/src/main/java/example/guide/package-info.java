/** The code of the guides. Each class is a page, or a part of one. */
@NullMarked
package example.guide;

import org.jspecify.annotations.NullMarked;
