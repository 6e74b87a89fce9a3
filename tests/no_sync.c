/* no_sync.c - the cmocka tests do not wait for the disk. A test that lets every allocation fail in
 * turn writes hundreds of files, and forcing each to the disk takes nearly all of its time. Failing
 * calls of the file system are the matter of tests/torture/, which run the command as it is. */
int __wrap_fsync(int fd);
int __wrap_fsync(int fd)
{
    (void)fd;
    return 0;
}
