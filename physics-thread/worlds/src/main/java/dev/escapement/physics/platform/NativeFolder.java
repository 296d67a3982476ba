package dev.escapement.physics.platform;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32;

/**
 * Where the processes of a user share the files of native libraries, one of each version: a process that is killed cannot delete its own,
 * and on Windows no process can.
 *
 * @param temporary the folder for temporary files, in which other users may write, too
 * @param claims    what all class loaders of this JVM see: it refuses a file that another class loader has loaded
 */
record NativeFolder(Path temporary, Map<Object, Object> claims) {

    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    /** Returns a file with these bytes. Many processes may ask for the same at once. */
    Path file(String name, byte[] bytes) throws IOException {
        String user = System.getProperty("user.name", "").replaceAll("[^\\w.-]", "_");
        Path folder = temporary.resolve("escapement-" + user);
        CRC32 sum = new CRC32(); // tells versions apart; whether a file is right, its bytes say
        sum.update(bytes);
        Path shared = folder.resolve(HexFormat.of().toHexDigits((int) sum.getValue()) + "-" + name);
        if (!isOwn(folder) || claims.putIfAbsent("dev.escapement.native." + shared, name) != null) {
            return write(temporary, name, bytes);
        }
        if (Files.isRegularFile(shared, NOFOLLOW_LINKS)
                && Files.getOwner(shared, NOFOLLOW_LINKS).equals(Files.getOwner(folder, NOFOLLOW_LINKS))
                && Arrays.equals(Files.readAllBytes(shared), bytes)) {
            return shared;
        }
        Path copy = write(folder, name, bytes);
        try {
            return Files.move(copy, shared, StandardCopyOption.ATOMIC_MOVE); // so that no process sees a part
        } catch (IOException e) {
            return copy; // Windows does not replace a file that a process has loaded
        }
    }

    /** Whether no other user can put a library there, not even one who has made the folder first. */
    private static boolean isOwn(Path folder) {
        try {
            boolean posix = folder.getFileSystem().supportedFileAttributeViews().contains("posix");
            Files.createDirectories(folder, posix ? new FileAttribute<?>[] {OWNER_ONLY} : new FileAttribute<?>[0]);
            if (!Files.isDirectory(folder, NOFOLLOW_LINKS)
                    || (posix && !OWNER_ONLY.value().equals(Files.getPosixFilePermissions(folder, NOFOLLOW_LINKS)))) {
                return false;
            }
            Path probe = Files.createTempFile(folder, "", ""); // it belongs to the user of this process
            UserPrincipal user = Files.getOwner(probe);
            Files.delete(probe);
            return user.equals(Files.getOwner(folder, NOFOLLOW_LINKS));
        } catch (IOException e) {
            return false;
        }
    }

    private static Path write(Path folder, String name, byte[] bytes) throws IOException {
        // The name keeps its extension: to one without, the loader of Windows adds ".dll" and finds nothing.
        Path file = Files.createTempFile(folder, "escapement-", "-" + name);
        file.toFile().deleteOnExit();
        return Files.write(file, bytes);
    }
}
