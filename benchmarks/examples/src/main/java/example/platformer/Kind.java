package example.platformer;

import java.util.List;

/** The kinds of objects in a level, with their size in metres and their colour. The user data of a body is the number of its kind. */
enum Kind {
    PLAYER_ONE(0.7f, 1, 0x3F7FDFFF),
    PLAYER_TWO(0.7f, 1, 0xDF5F3FFF),
    GROUND(40, 1, 0x4F7F3FFF),
    LEDGE(3, 0.3f, 0x7F5F3FFF),
    LIFT(2, 0.3f, 0x9F9FAFFF),
    CRATE(0.8f, 0.8f, 0xAF6F2FFF),
    GEM(0.4f, 0.4f, 0xFFCF2FFF);

    static final List<Kind> ALL = List.of(values());

    final float width;
    final float height;
    final int rgba;

    Kind(float width, float height, int rgba) {
        this.width = width;
        this.height = height;
        this.rgba = rgba;
    }

    /** The kind's number, from 1 on, because in events 0 means a body that is not attached. */
    long number() {
        return ALL.indexOf(this) + 1L;
    }
}
