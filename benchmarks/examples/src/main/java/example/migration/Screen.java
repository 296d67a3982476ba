package example.migration;

/** Stands for the game's window and renderer. */
interface Screen {

    boolean isOpen();

    void draw(double y);
}
